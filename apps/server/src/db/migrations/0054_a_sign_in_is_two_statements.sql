-- A sign-in by password is two statements, and leaves no work for the next one. What it does is as before, but where a
-- comment says otherwise.

-- The rows of a user's sessions and devices come and go with every sign-in. Read by a map of rows, as the planner likes
-- to, an index never learns which of them are dead, and until the next vacuum each sign-in was slower than the one
-- before; read in its own order it does. p_alone: writes nothing, and answers null, where a mail must go with it.
--
-- The work of two triggers is done here, for nothing else writes sessions. A user has a hundred at most: those used
-- longest ago make room, ten at a time, as do the devices of whoever keeps no cookies; support's make none.
create function open_session(
  p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text, p_second_factor boolean,
  p_impersonator uuid, p_agent text, p_network text,
  p_browser bytea, p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz,
  p_expires_at timestamptz, p_sign_in uuid, p_lifetimes json, p_alone boolean)
returns json
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  -- Support acts in a browser of its own, which is none of the user's devices.
  lasting boolean := p_impersonator is null and p_browser is not null;
  seen record;
  own json;
  new_device boolean;
begin
  select count(*) as browsers, coalesce(bool_or(d.browser_hash = p_browser), false) as same_browser,
      coalesce(bool_or(d.network = p_network), false) as same_network,
      exists (select from masters where user_id = p_user) as master,
      (select count(*) from sessions where user_id = p_user) as sessions,
      (select last_login_at < p_created_at - interval '1 minute' from memberships
        where account_id = p_account and user_id = p_user) as away
    into seen from devices d where d.user_id = p_user;
  new_device := coalesce(case when lasting and seen.browsers > 0 then not seen.same_browser and not seen.same_network
    else p_sign_in is null and p_method <> 'reset' and exists (
      select from users u where u.id = p_user and u.verified_at < p_now - interval '1 day') end, false);
  if new_device and p_alone then
    return null;
  end if;
  if p_impersonator is null and seen.sessions >= 100 then
    delete from sessions where id = any (array(
      select id from sessions where user_id = p_user order by last_used_at, id limit seen.sessions - 90
        for update skip locked));
  end if;
  own := p_lifetimes -> case when p_impersonator is null and seen.master then 'master' else 'user' end;
  with opened as (
    insert into sessions (id, token_hash, user_id, account_id, method, second_factor, impersonator_id, user_agent,
        network, browser_hash, created_at, last_used_at, authenticated_at, expires_at, sign_in_id, idle_seconds)
      values (p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
        p_network, p_browser, p_created_at, p_now, p_authenticated_at,
        least(p_expires_at, p_now + make_interval(secs => (own ->> 'absolute')::integer)),
        coalesce(p_sign_in, p_id), (own ->> 'idle')::integer))
  insert into devices (user_id, browser_hash, network, first_used_at, last_used_at)
    select p_user, p_browser, p_network, p_now, p_now where lasting
    on conflict (user_id, browser_hash) do update set network = excluded.network, last_used_at = excluded.last_used_at;
  if p_impersonator is null and seen.away then
    update memberships set last_login_at = p_created_at
      where account_id = p_account and user_id = p_user and last_login_at < p_created_at - interval '1 minute';
  end if;
  -- Those seen once go first. What another one is just about to forget or to write is left to it.
  if lasting and seen.browsers >= 30 and not seen.same_browser then
    delete from devices d where d.user_id = p_user and d.browser_hash = any (array(
      select o.browser_hash from devices o where o.user_id = p_user and o.browser_hash in (
        select k.browser_hash from devices k where k.user_id = p_user
        order by (k.last_used_at > k.first_used_at) desc, k.last_used_at desc offset 20)
      for update skip locked));
  end if;
  return json_build_object('found', find_sessions(array[p_token_hash], p_now) -> 0,
    'new_device', new_device);
end $$;

drop trigger cap_sessions on sessions;
drop trigger note_login on sessions;
drop function cap_sessions();
drop function note_login();

-- As before (0013), but what stands before an account is asked only where it has a connection.
create or replace function find_opening(p_user uuid, p_wanted uuid, p_method text, p_password text) returns json
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
    left join sso_connections c on c.account_id = m.account_id
    cross join lateral (select case when c.account_id is null then false
      else sso_stands_before(m.account_id, m.user_id, m.role, p_method) end as blocked) s
    left join two_factors f on f.user_id = m.user_id
    where m.user_id = p_user and (p_method not in ('saml', 'switch') or m.account_id = p_wanted)
    order by s.blocked, (m.account_id = p_wanted) desc nulls last,
      (m.account_id = u.default_account_id) desc nulls last, m.created_at
    limit 1;
  return opening;
end $$;

-- As before (0016). p_alone: nothing is opened where a mail must go with it.
create function enter(p_user uuid, p_wanted uuid, p_method text, p_password text, p_asks boolean, p_id uuid,
  p_token_hash bytea, p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_browser bytea,
  p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at timestamptz, p_sign_in uuid,
  p_lifetimes json, p_alone boolean) returns json
language plpgsql as $$
declare opening json := find_opening(p_user, p_wanted, p_method, p_password);
begin
  if opening is null or (opening ->> 'sso_required')::boolean or (p_asks and (opening ->> 'two_factor')::boolean) then
    return json_build_object('opening', opening);
  end if;
  return json_build_object('opening', opening, 'opened', open_session(p_id, p_token_hash, p_user,
    (opening ->> 'account_id')::uuid, p_method, p_second_factor, p_impersonator, p_agent, p_network, p_browser, p_now,
    p_created_at, p_authenticated_at, p_expires_at, p_sign_in, p_lifetimes, p_alone));
end $$;

-- Servers that are still running while this is brought in call these two (and find_candidates, and release_brakes with
-- six values, which nothing calls from now on).
create or replace function open_session(
  p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text, p_second_factor boolean,
  p_impersonator uuid, p_agent text, p_network text,
  p_browser bytea, p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz,
  p_expires_at timestamptz, p_sign_in uuid, p_lifetimes json)
returns json
language plpgsql as $$
begin
  return open_session(p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
    p_network, p_browser, p_now, p_created_at, p_authenticated_at, p_expires_at, p_sign_in, p_lifetimes, false);
end $$;
create or replace function enter(p_user uuid, p_wanted uuid, p_method text, p_password text, p_asks boolean, p_id uuid,
  p_token_hash bytea, p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_browser bytea,
  p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at timestamptz, p_sign_in uuid,
  p_lifetimes json) returns json
language plpgsql as $$
begin
  return enter(p_user, p_wanted, p_method, p_password, p_asks, p_id, p_token_hash, p_second_factor, p_impersonator,
    p_agent, p_network, p_browser, p_now, p_created_at, p_authenticated_at, p_expires_at, p_sign_in, p_lifetimes, false);
end $$;

-- Whom an address may sign in (as find_candidates, 0009), and a try at their password: as take_brakes (0042), with the
-- first of the keys alone for a browser that one of them has signed in with, else with all the others. Without keys they
-- are counted elsewhere.
create function try_password(p_email text, p_most integer, p_browser bytea, p_now timestamptz, p_keys text[],
  p_free integer[], p_tight integer[], p_seconds integer[], p_hold integer, p_crowd text, p_crowd_free integer,
  p_shared text) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  candidates json;
  knows boolean;
  mine integer;
  last integer;
  taken json;
begin
  select coalesce(json_agg(c), '[]'), coalesce(bool_or(c.knows_browser), false) into candidates, knows from (
    select u.id, u.password_hash, u.verified_at is not null as verified,
      u.verified_at is not null and exists (
        select from devices d where d.user_id = u.id and d.browser_hash = p_browser) as knows_browser
    from users u where u.email = p_email
    order by u.verified_at is null, u.created_at desc limit p_most) c;
  if p_keys is not null then
    mine := case when knows then 1 else 2 end;
    last := case when knows then 1 else cardinality(p_keys) end;
    taken := take_brakes(p_now, p_keys[mine:last], p_free[mine:last], p_tight[mine:last], p_seconds[mine:last],
      p_hold, p_crowd, p_crowd_free, case when not knows then p_shared end);
  end if;
  return json_build_object('candidates', candidates, 'knows_browser', knows, 'taken', taken);
end $$;

-- After a right password, whose hash is shown: draws from the user's budget, opens a session unless something else is to
-- be written with it (as enter), and releases the brakes of the try (as release_brakes, 0042), which come last: others
-- wait for them. Without a budget all that is counted elsewhere. It runs as plinth_system for whoever shows the hash, so
-- that it needs no transaction (decision 0006).
create function sign_in(p_user uuid, p_password text, p_id uuid, p_token_hash bytea, p_agent text, p_network text,
  p_browser bytea, p_now timestamptz, p_lifetimes json, p_keys text[], p_held text[], p_cleared text, p_budget text,
  p_points integer, p_seconds integer) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  now_ms bigint := extract(epoch from p_now) * 1000;
  drawn integer := 0;
  ends bigint;
  entered json;
begin
  if p_password is null then
    raise exception 'Only a password that was looked at signs in';
  end if;
  if p_budget is not null then
    insert into rate_limits as r (key, points, expire) values (p_budget, 1, now_ms + p_seconds * 1000)
      on conflict (key) do update set
        points = case when r.expire <= now_ms then 1 else r.points + 1 end,
        expire = case when r.expire <= now_ms then excluded.expire else r.expire end
      returning points, expire into drawn, ends;
  end if;
  if drawn > p_points then
    entered := json_build_object('wait', ends - now_ms);
  else
    entered := enter(p_user, null, 'password', p_password, true, p_id, p_token_hash, false, null, p_agent, p_network,
      p_browser, p_now, p_now, p_now, null, null, p_lifetimes, true);
  end if;
  if p_keys is not null then
    update brakes b set
        failures = case when b.key = p_cleared then 0 else greatest(b.failures - 1, 0) end,
        paused_until = case when b.key = p_cleared or b.key = any (p_held) then null else b.paused_until end,
        fresh_paused_until = case when b.key = p_cleared then null else b.fresh_paused_until end
      from (select key from brakes where key = any (p_keys) order by key for update) locked
      where b.key = locked.key;
  end if;
  return entered;
end $$;

revoke all on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json, boolean) from public;
revoke all on function enter(uuid, uuid, text, text, boolean, uuid, bytea, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json, boolean) from public;
revoke all on function try_password(text, integer, bytea, timestamptz, text[], integer[], integer[], integer[], integer,
  text, integer, text) from public;
revoke all on function sign_in(uuid, text, uuid, bytea, text, text, bytea, timestamptz, json, text[], text[], text, text,
  integer, integer) from public;
grant execute on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json, boolean) to plinth_system;
grant execute on function enter(uuid, uuid, text, text, boolean, uuid, bytea, boolean, uuid, text, text, bytea,
  timestamptz, timestamptz, timestamptz, timestamptz, uuid, json, boolean) to plinth_system;
grant execute on function try_password(text, integer, bytea, timestamptz, text[], integer[], integer[], integer[],
  integer, text, integer, text) to plinth_app;
grant execute on function sign_in(uuid, text, uuid, bytea, text, text, bytea, timestamptz, json, text[], text[], text,
  text, integer, integer) to plinth_app;
grant create on schema public to plinth_system;
alter function try_password(text, integer, bytea, timestamptz, text[], integer[], integer[], integer[], integer, text,
  integer, text) owner to plinth_system;
alter function sign_in(uuid, text, uuid, bytea, text, text, bytea, timestamptz, json, text[], text[], text, text,
  integer, integer) owner to plinth_system;
revoke create on schema public from plinth_system;
