-- Whether an account requires single sign-on of a user who signs in by p_method. Owners chosen for emergency
-- access are exempt; when none of those is an owner any more, every owner is. Locks the connection: switching
-- it on waits for sign-ins in progress, and then finds their sessions.
create or replace function requires_sso(p_account uuid, p_user uuid, p_role text, p_method text) returns
  boolean
language plpgsql as $$
declare enforced boolean;
begin
  if p_method in ('saml', 'impersonation') then
    return false;
  end if;
  select c.enforced_at is not null into enforced from sso_connections c where c.account_id = p_account for share;
  if not coalesce(enforced, false) then
    return false;
  end if;
  if p_role <> 'owner' then
    return true;
  end if;
  return exists (
      select from sso_break_glass g join memberships o on o.account_id = g.account_id and o.user_id = g.user_id
      where g.account_id = p_account and o.role = 'owner')
    and not exists (select from sso_break_glass g where g.account_id = p_account and g.user_id = p_user);
end $$;

revoke all on function requires_sso from public;
grant execute on function requires_sso to plinth_system;
