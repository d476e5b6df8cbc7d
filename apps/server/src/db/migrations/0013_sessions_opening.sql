-- Opening a session holds the user's row from the decision to the end of the transaction. Whatever ends sessions holds
-- the same row first, for itself alone: it either finds the session that was being opened, or is seen by the decision.
-- Everywhere the user's row comes before their challenges, factors and identities, and before the account.

-- As before (0007), and with p_password, the hash that the typed password was verified against outside of the
-- transaction: nothing when it is not the user's any more. Each statement of a volatile function sees what was
-- committed while the one before it waited.
create function find_opening(p_user uuid, p_wanted uuid, p_method text, p_password text) returns json
language plpgsql as $$
declare opening json;
begin
  perform from users u where u.id = p_user and (p_password is null or u.password_hash = p_password) for share;
  if not found then
    return null;
  end if;
  select json_build_object('account_id', m.account_id, 'two_factor', f.enabled_at is not null, 'sso_required', s.blocked)
    into opening
    from memberships m
    join users u on u.id = m.user_id
    cross join lateral (select sso_stands_before(m.account_id, m.user_id, m.role, p_method) as blocked) s
    left join two_factors f on f.user_id = m.user_id
    where m.user_id = p_user and (p_method not in ('saml', 'switch') or m.account_id = p_wanted)
    order by s.blocked, (m.account_id = p_wanted) desc nulls last,
      (m.account_id = u.default_account_id) desc nulls last, m.created_at
    limit 1;
  return opening;
end $$;

-- For instances of the version before, while they are replaced.
create or replace function find_opening(p_user uuid, p_wanted uuid, p_method text) returns json
language plpgsql as $$
begin
  return find_opening(p_user, p_wanted, p_method, null);
end $$;

revoke all on function find_opening(uuid, uuid, text, text) from public;
grant execute on function find_opening(uuid, uuid, text, text) to plinth_system;
