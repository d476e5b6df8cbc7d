-- Removes a person from the audit log: their addresses, and the networks of their entries. The entries stay
-- with an id that leads to no user. Owned by the owner of the table, because no role may update it.
create or replace function forget_in_audit(p_user uuid, p_addresses text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare address text;
begin
  update audit_log set network = '' where user_id = p_user and network <> '';
  foreach address in array p_addresses loop
    update audit_log l
      set metadata = (select coalesce(jsonb_object_agg(f.key, f.value), '{}')
        from jsonb_each(l.metadata) f where f.value <> to_jsonb(address))
      where l.metadata @? ('$.* ? (@ == ' || to_jsonb(address)::text || ')')::jsonpath;
  end loop;
end $$;

revoke all on function forget_in_audit from public;
grant execute on function forget_in_audit to plinth_system;
