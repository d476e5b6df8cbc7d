-- Chooses the account that a new session opens: the wanted one, else the default one, else the oldest;
-- accounts that require single sign-on come last. Returns {account_id, two_factor, sso_required}, or null
-- when the user is gone or p_password (null: not checked) is no longer their password hash.
-- Locks the user's row until the transaction ends. Code that ends sessions locks it too: it either finds the new
-- session, or this function sees its change.
create or replace function choose_account(p_user uuid, p_wanted uuid, p_method text, p_password text) returns json
language plpgsql as $$
declare account json;
begin
  perform from users u where u.id = p_user and (p_password is null or u.password_hash = p_password) for share;
  if not found then
    return null;
  end if;
  select json_build_object('account_id', m.account_id, 'two_factor', f.enabled_at is not null,
      'sso_required', s.blocked)
    into account
    from memberships m
    join users u on u.id = m.user_id
    left join sso_connections c on c.account_id = m.account_id
    cross join lateral (select case when c.account_id is null then false
      else requires_sso(m.account_id, m.user_id, m.role, p_method) end as blocked) s
    left join two_factors f on f.user_id = m.user_id
    where m.user_id = p_user and (p_method not in ('saml', 'switch') or m.account_id = p_wanted)
    order by s.blocked, (m.account_id = p_wanted) desc nulls last,
      (m.account_id = u.default_account_id) desc nulls last, m.created_at
    limit 1;
  return account;
end $$;

revoke all on function choose_account from public;
grant execute on function choose_account to plinth_system;
