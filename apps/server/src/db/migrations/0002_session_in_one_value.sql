-- The session look-up again, cheaper: it runs with every signed-in request. One JSON value where there were 21 columns,
-- whose description the driver reads anew with each answer; and one pass over the user's memberships, which are few,
-- where the current one and the list of all were looked up apart.
create function find_session(p_token_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_session json;
begin
  select json_build_object(
      'session_id', s.id, 'method', s.method, 'authenticated_at', s.authenticated_at, 'last_used_at', s.last_used_at,
      'user_id', u.id, 'account_id', s.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', u.verified_at is not null, 'has_password', u.password_hash is not null,
      'locale', u.locale, 'dark_mode', u.dark_mode, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
      'onboarded', u.onboarded_at is not null,
      'permission', case when x.user_id is null then own.role else 'master' end,
      'plan', own.plan, 'subscription', b.status, 'account_name', own.name, 'accounts', own.accounts)
    into found_session
    from sessions s
    join users u on u.id = s.user_id
    cross join lateral (
      select max(m.role) filter (where m.account_id = s.account_id) as role,
        max(a.plan) filter (where m.account_id = s.account_id) as plan,
        max(a.name) filter (where m.account_id = s.account_id) as name,
        json_agg(json_build_object('id', a.id, 'name', a.name) order by m.created_at) as accounts
      from memberships m join accounts a on a.id = m.account_id where m.user_id = s.user_id
    ) own
    left join subscriptions b on b.account_id = s.account_id
    left join masters x on x.user_id = s.user_id
    where s.token_hash = p_token_hash and s.expires_at > p_now and s.last_used_at > p_now - interval '7 days'
      and own.role is not null;
  return found_session;
end $$;
revoke all on function find_session(bytea, timestamptz) from public;
grant execute on function find_session(bytea, timestamptz) to plinth_app, plinth_system;

grant create on schema public to plinth_system;
alter function find_session(bytea, timestamptz) owner to plinth_system;
revoke create on schema public from plinth_system;

drop function authenticate(bytea, timestamptz);
