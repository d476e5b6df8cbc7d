-- Other databases of the same server may belong to other people: only the owner and logins with a grant connect here.
do $$ begin
  if pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('revoke connect, temporary on database %I from public', current_database());
  end if;
end $$;
