-- Names of people in the audit log of the current account, by user id. Row-level security hides former
-- members; of them it returns the name only.
create or replace function find_audit_people(p_ids uuid[]) returns table (id uuid, name text, email text, avatar
  text, member boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, trim(u.first_name || ' ' || u.last_name),
    case when m.user_id is not null then u.email end, case when m.user_id is not null then u.avatar end,
    m.user_id is not null
  from users u left join memberships m on m.user_id = u.id and m.account_id = current_account()
  where u.id = any (p_ids)
    and exists (select from audit_log l where l.account_id = current_account() and l.user_id = u.id)
$$;

revoke all on function find_audit_people from public;
grant execute on function find_audit_people to plinth_app;
alter function find_audit_people owner to plinth_system;
