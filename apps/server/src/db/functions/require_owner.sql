-- Trigger: refuses to leave an account without an owner. It locks the account, so that of two owners who
-- leave at the same time the second is refused.
create or replace function require_owner() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts where id = old.account_id for no key update;
  if found and not exists (select from memberships where account_id = old.account_id and role = 'owner') then
    raise exception 'account % would have no owner', old.account_id
      using errcode = 'check_violation', constraint = 'memberships_last_owner';
  end if;
  return null;
end $$;

alter function require_owner owner to plinth_system;
