-- The devices a user signs in with, links that end a session, and brakes on guessing.

alter table sessions
  -- The session that a sign-in began with; what replaces it (a switch, a proof) keeps it. A mailed link names it, so
  -- that a new token is no way out.
  add column sign_in_id uuid,
  -- The browser it was made in.
  add column browser_hash bytea,
  -- How long it may lie unused; less for those who can do more.
  add column idle_seconds integer not null default 604800;
update sessions set sign_in_id = id;
alter table sessions alter column sign_in_id set not null;
create index sessions_sign_in on sessions (sign_in_id);

-- Browsers that a user has signed in with, and the network they were last in.
create table devices (
  user_id uuid not null references users on delete cascade,
  browser_hash bytea not null,
  network text not null,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, browser_hash)
);
-- Who was in before the address was proven, or the password changed, may have been somebody else: whatever does either
-- forgets the devices, and the session that follows is on the first one anew.
create function forget_devices() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from devices where user_id = new.id;
  return null;
end $$;
create trigger forget_devices after update of verified_at, password_hash on users for each row
  when (old.verified_at is distinct from new.verified_at or old.password_hash is distinct from new.password_hash)
  execute function forget_devices();
create index devices_network on devices (user_id, network);
create index devices_last_used on devices (last_used_at);

-- "That wasn't me": the link of a new-device mail ends the session it tells of, whoever holds its token.
create table sign_in_links (
  token_hash bytea primary key,
  sign_in_id uuid not null unique,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_links_user on sign_in_links (user_id);
create index sign_in_links_expires on sign_in_links (expires_at);

-- When the owner of an address was last told that somebody guesses at its password.
create table sign_in_warnings (
  user_id uuid primary key references users on delete cascade,
  sent_at timestamptz not null
);

do $$
declare t text;
begin
  foreach t in array array['devices', 'sign_in_links', 'sign_in_warnings'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;

-- Failed tries under one key (http/brakes.ts); the keys are hashes. Reached by the functions below alone.
create table brakes (
  key text primary key,
  failures integer not null,
  -- How many are free; each one after that waits twice as long as the one before.
  free integer not null,
  paused_until timestamptz,
  expires_at timestamptz not null
);
create index brakes_expires on brakes (expires_at);
alter table brakes enable row level security;
alter table brakes force row level security;
create policy everything on brakes to plinth_system using (true) with check (true);
grant select, insert, update, delete on brakes to plinth_system;

-- A try begins: refused while one of its keys pauses (`wait`, in seconds), else counted under all of them as if it had
-- failed, so that a thousand at once are not one. Past the free ones a key takes one try at a time: it pauses for
-- p_hold seconds, in which the try ends. While p_crowd has seen more than p_crowd_free failures, p_tight are free.
create function take_brakes(p_now timestamptz, p_keys text[], p_free integer[], p_tight integer[], p_seconds integer[],
  p_hold integer, p_crowd text, p_crowd_free integer) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wait double precision;
  allowed integer[] := p_free;
  counts json;
begin
  -- A crash of the database may forget the last half second of these counters; they need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if exists (select from brakes where key = p_crowd and failures > p_crowd_free and expires_at > p_now) then
    allowed := p_tight;
  end if;
  -- Made and held in the order of their keys, here and below, so that no two calls wait for each other; made first, so
  -- that of many first tries at once each sees the one before.
  insert into brakes (key, failures, free, expires_at)
    select key, 0, f, p_now + make_interval(secs => s)
      from unnest(p_keys, allowed, p_seconds) as asked (key, f, s) order by key
    on conflict (key) do nothing;
  perform from brakes where key = any (p_keys) order by key for update;
  select max(extract(epoch from paused_until - p_now)) into wait
    from brakes where key = any (p_keys) and paused_until > p_now;
  if wait is not null then
    return json_build_object('wait', wait);
  end if;
  with taken as (
    update brakes b set
        failures = now.failures,
        free = now.free,
        paused_until = case when now.failures > now.free then p_now + make_interval(secs => p_hold) end,
        expires_at = now.expires_at
      from (
        select o.key, asked.f as free,
            case when o.expires_at > p_now then o.failures else 0 end + 1 as failures,
            case when o.expires_at > p_now then o.expires_at else p_now + make_interval(secs => asked.s) end as expires_at
          from brakes o join unnest(p_keys, allowed, p_seconds) as asked (key, f, s) on asked.key = o.key
      ) now
      where b.key = now.key
      returning b.key, b.failures, b.paused_until is not null as held)
  select json_object_agg(key, json_build_object('failures', failures, 'held', held)) into counts from taken;
  return json_build_object('counts', counts);
end $$;

-- It has failed: the count stays, and each key past its free tries pauses 1 s, 2 s, 4 s … up to p_longest.
create function fail_brakes(p_now timestamptz, p_keys text[], p_longest integer, p_crowd text, p_crowd_seconds integer)
returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform from brakes where key = any (p_keys) order by key for update;
  update brakes set
      paused_until = p_now + make_interval(secs => least(power(2, least(failures - free - 1, 20)), p_longest)),
      expires_at = greatest(expires_at,
        p_now + make_interval(secs => least(power(2, least(failures - free - 1, 20)), p_longest)))
    where key = any (p_keys) and failures > free;
  if p_crowd is null then return; end if;
  insert into brakes as b (key, failures, free, expires_at)
    values (p_crowd, 1, 0, p_now + make_interval(secs => p_crowd_seconds))
    on conflict (key) do update set
      failures = case when b.expires_at > p_now then b.failures else 0 end + 1,
      expires_at = case when b.expires_at > p_now then b.expires_at else excluded.expires_at end;
end $$;

-- It was right: nothing is counted, what it held up goes on, and p_cleared starts anew.
create function release_brakes(p_keys text[], p_held text[], p_cleared text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform from brakes where key = any (p_keys) order by key for update;
  delete from brakes where key = p_cleared;
  update brakes set failures = greatest(failures - 1, 0),
      paused_until = case when key = any (p_held) then null else paused_until end
    where key = any (p_keys);
end $$;

revoke all on function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer) from public;
revoke all on function fail_brakes(timestamptz, text[], integer, text, integer) from public;
revoke all on function release_brakes(text[], text[], text) from public;
grant execute on function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer) to plinth_app;
grant execute on function fail_brakes(timestamptz, text[], integer, text, integer) to plinth_app;
grant execute on function release_brakes(text[], text[], text) to plinth_app;

-- Who becomes a master has a master's time left in sessions from before, too (features/auth/lifetimes.ts).
create function shorten_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set idle_seconds = least(idle_seconds, 900),
      expires_at = least(expires_at, created_at + interval '8 hours')
    where user_id = new.user_id;
  return null;
end $$;
create trigger shorten_sessions after insert on masters for each row execute function shorten_sessions();

-- The session look-up, with each session's own limit of idleness.
create or replace function find_session(p_token_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_session json;
begin
  select json_build_object(
      'session_id', s.id, 'method', s.method, 'authenticated_at', s.authenticated_at, 'last_used_at', s.last_used_at,
      'idle_seconds', s.idle_seconds,
      'user_id', u.id, 'account_id', s.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', u.verified_at is not null, 'has_password', u.password_hash is not null,
      'locale', u.locale, 'dark_mode', u.dark_mode, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
      'onboarded', u.onboarded_at is not null, 'second_factor', s.second_factor, 'impersonator_id', s.impersonator_id,
      'permission', case when x.user_id is null or s.impersonator_id is not null then own.role else 'master' end,
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
      and own.role is not null and (s.impersonator_id is null or u.support_enabled);
  return found_session;
end $$;

-- Writes a session and the device it is made on. Answers what the look-up will find, and whether the device is new to
-- a user who has others: neither the browser nor the network was seen with them before.
create function open_session(p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text,
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
    'new_device', coalesce(browsers > 0 and not same_browser and not same_network, false));
end $$;

-- For instances of the version before, while they are replaced.
create or replace function open_session(p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text,
  p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_now timestamptz,
  p_authenticated_at timestamptz, p_expires_at timestamptz) returns json
language plpgsql as $$
begin
  return open_session(p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
    p_network, null, p_now, p_now, p_authenticated_at, p_expires_at, null,
    '{"user": {"idle": 604800, "absolute": 2592000}, "master": {"idle": 900, "absolute": 28800}}') -> 'found';
end $$;

-- Whom an address and a password may sign in; and whether the proven one of them has signed in with this browser.
create function find_candidates(p_email text, p_most integer, p_browser bytea) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare candidates json;
begin
  select json_agg(c) into candidates from (
    select u.id, u.password_hash, u.verified_at is not null as verified,
      u.verified_at is not null and exists (
        select from devices d where d.user_id = u.id and d.browser_hash = p_browser) as knows_browser
    from users u where u.email = p_email
    order by u.verified_at is null, u.created_at desc limit p_most) c;
  return candidates;
end $$;

revoke all on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json) from public;
revoke all on function find_candidates(text, integer, bytea) from public;
grant execute on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json) to plinth_system;
grant execute on function find_candidates(text, integer, bytea) to plinth_app, plinth_system;

grant create on schema public to plinth_system;
alter function find_candidates(text, integer, bytea) owner to plinth_system;
alter function forget_devices() owner to plinth_system;
alter function shorten_sessions() owner to plinth_system;
alter function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer)
  owner to plinth_system;
alter function fail_brakes(timestamptz, text[], integer, text, integer) owner to plinth_system;
alter function release_brakes(text[], text[], text) owner to plinth_system;
revoke create on schema public from plinth_system;
