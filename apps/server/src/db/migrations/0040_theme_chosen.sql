-- Whether somebody has chosen between light and dark; until then their screens follow the system they are shown on.
alter table users add column dark_mode_chosen boolean not null default false;

-- The session look-up, now with that, and with what tells two accounts of one name apart. Who is dark has chosen it: the
-- release before writes no more than that. A connection vouches for people in its own account: who came through one
-- doesn't run the installation by it. Support goes on only while the one who acts is still support.
create or replace function find_session(p_token_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_session json;
begin
  select json_build_object(
      'session_id', s.id, 'method', s.method, 'authenticated_at', s.authenticated_at, 'last_used_at', s.last_used_at,
      'idle_seconds', s.idle_seconds,
      'user_id', u.id, 'account_id', s.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', u.verified_at is not null, 'has_password', u.password_hash is not null,
      'email_pending', exists (select from email_changes c where c.user_id = u.id and c.pending),
      'locale', u.locale, 'dark_mode', u.dark_mode,
      'dark_mode_chosen', u.dark_mode_chosen or u.dark_mode, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
      'onboarded', u.onboarded_at is not null, 'second_factor', s.second_factor, 'impersonator_id', s.impersonator_id,
      'permission', case when x.user_id is null or s.impersonator_id is not null or s.method = 'saml'
        then own.role else 'master' end,
      'plan', own.plan, 'subscription', b.status, 'account_name', own.name, 'accounts', own.accounts)
    into found_session
    from sessions s
    join users u on u.id = s.user_id
    cross join lateral (
      select max(m.role) filter (where m.account_id = s.account_id) as role,
        max(a.plan) filter (where m.account_id = s.account_id) as plan,
        max(a.name) filter (where m.account_id = s.account_id) as name,
        json_agg(json_build_object('id', a.id, 'name', a.name, 'permission', m.role, 'since', m.created_at)
          order by m.created_at) as accounts
      from memberships m join accounts a on a.id = m.account_id where m.user_id = s.user_id
    ) own
    left join subscriptions b on b.account_id = s.account_id
    left join masters x on x.user_id = s.user_id
    where s.token_hash = p_token_hash and s.expires_at > p_now
      and s.last_used_at > p_now - make_interval(secs => s.idle_seconds)
      and own.role is not null
      and (s.impersonator_id is null
        or (u.support_enabled and exists (select from masters i where i.user_id = s.impersonator_id)));
  return found_session;
end $$;
