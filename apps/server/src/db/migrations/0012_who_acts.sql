-- Who acts: a session can do what its sign-in stands for, and what a stranger did with one can be taken back.

-- From when on ways in go if the change is undone: whoever took the address may have added them before they asked for
-- it. A row of a version before says as much as the longest session could have lived.
alter table email_changes add column ways_in_since timestamptz not null default now() - interval '30 days';

-- The session look-up. A connection vouches for people in its own account: who came through one doesn't run the
-- installation by it. Support goes on only while the one who acts is still support.
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
      'locale', u.locale, 'dark_mode', u.dark_mode, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
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
        json_agg(json_build_object('id', a.id, 'name', a.name) order by m.created_at) as accounts
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

-- Writes a session and the device it is made on. The device is new to a user who has others when neither the browser
-- nor the network was seen with them before; and to one without any when they have been here for longer than a day:
-- they have been away so long that their own were forgotten. What follows a new password is no such sign-in.
create or replace function open_session(p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text,
  p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_browser bytea, p_now timestamptz,
  p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at timestamptz, p_sign_in uuid,
  p_lifetimes json) returns json
language plpgsql as $$
declare
  own json := p_lifetimes -> case when p_impersonator is null and exists (select from masters where user_id = p_user)
    then 'master' else 'user' end;
  browsers integer;
  same_browser boolean;
  same_network boolean;
begin
  insert into sessions (id, token_hash, user_id, account_id, method, second_factor, impersonator_id, user_agent,
      network, browser_hash, created_at, last_used_at, authenticated_at, expires_at, sign_in_id, idle_seconds)
    values (p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
      p_network, p_browser, p_created_at, p_now, p_authenticated_at,
      least(p_expires_at, p_now + make_interval(secs => (own ->> 'absolute')::integer)),
      coalesce(p_sign_in, p_id), (own ->> 'idle')::integer);
  -- Support acts in a browser of its own, which is none of the user's devices.
  if p_impersonator is null and p_browser is not null then
    select count(*), coalesce(bool_or(d.browser_hash = p_browser), false), coalesce(bool_or(d.network = p_network), false)
      into browsers, same_browser, same_network from devices d where d.user_id = p_user;
    insert into devices (user_id, browser_hash, network, first_used_at, last_used_at)
      values (p_user, p_browser, p_network, p_now, p_now)
      on conflict (user_id, browser_hash) do update set network = excluded.network, last_used_at = excluded.last_used_at;
    -- Whoever signs in without keeping cookies is a new browser each time; those seen once go first.
    if browsers >= 20 and not same_browser then
      delete from devices d where d.user_id = p_user and d.browser_hash in (
        select o.browser_hash from devices o where o.user_id = p_user
        order by (o.last_used_at > o.first_used_at) desc, o.last_used_at desc offset 20);
    end if;
  end if;
  return json_build_object('found', find_session(p_token_hash, p_now),
    'new_device', coalesce(case when browsers > 0 then not same_browser and not same_network
      else p_sign_in is null and p_method <> 'reset' and exists (
        select from users u where u.id = p_user and u.verified_at < p_now - interval '1 day') end, false));
end $$;
