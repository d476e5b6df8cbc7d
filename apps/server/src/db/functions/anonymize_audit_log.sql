-- Removes a deleted user's personal data from the audit log: e-mail addresses, and the networks of their entries. The
-- entries keep the id of the deleted user. Owned by the table's owner, because no role may update the table.
create or replace function anonymize_audit_log(p_user uuid, p_addresses text[]) returns void
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

revoke all on function anonymize_audit_log from public;
grant execute on function anonymize_audit_log to plinth_system;
