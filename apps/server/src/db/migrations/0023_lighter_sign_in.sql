-- A sign-in writes less. What it does is as before.

-- The membership of a session names its user; a second reference to the user was looked up at each sign-in for nothing.
-- One index serves both of the user's sessions and those of a membership.
alter table sessions drop constraint sessions_user_id_fkey;
create index sessions_user_account on sessions (user_id, account_id);
drop index sessions_user, sessions_account_user;

-- As before (0014), but rows are made only where one is missing; before any is held, so that no two wait for each other.
create or replace function take_brakes(p_now timestamptz, p_keys text[], p_free integer[], p_tight integer[], p_seconds integer[],
  p_hold integer, p_crowd text, p_crowd_free integer, p_shared text) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  wait double precision;
  allowed integer[] := p_free;
  fresh boolean;
  counts json;
begin
  perform set_config('synchronous_commit', 'off', true);
  if exists (select from brakes where key = p_crowd and failures > p_crowd_free and expires_at > p_now) then
    allowed := p_tight;
  end if;
  if (select count(*) from brakes where key = any (p_keys)) < cardinality(p_keys) then
    insert into brakes (key, failures, free, expires_at)
      select key, 0, f, p_now + make_interval(secs => s)
        from unnest(p_keys, allowed, p_seconds) as asked (key, f, s) order by key
      on conflict (key) do nothing;
  end if;
  perform from brakes where key = any (p_keys) order by key for update;
  fresh := not exists (select from brakes where key = p_keys[1] and failures > 0 and expires_at > p_now);
  select max(extract(epoch from b.till - p_now)) into wait
    from (select case when fresh and key = p_shared then coalesce(fresh_paused_until, paused_until) else paused_until end
      as till from brakes where key = any (p_keys)) b
    where b.till > p_now;
  if wait is not null then
    return json_build_object('wait', wait);
  end if;
  with taken as (
    update brakes b set
        failures = now.failures,
        free = now.free,
        -- A pause that this try alone was let past goes on for the others.
        paused_until = case when now.failures > now.free
          then greatest(b.paused_until, p_now + make_interval(secs => p_hold)) end,
        fresh_paused_until = case when now.failures > now.free then p_now + make_interval(secs => p_hold) end,
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

-- As before (0009), but what starts anew stays as a row without failures: the next try finds it there. The sweep takes
-- it away when its time is over.
create or replace function release_brakes(p_keys text[], p_held text[], p_cleared text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform from brakes where key = any (p_keys) order by key for update;
  update brakes set
      failures = case when key = p_cleared then 0 else greatest(failures - 1, 0) end,
      paused_until = case when key = p_cleared or key = any (p_held) then null else paused_until end,
      fresh_paused_until = case when key = p_cleared then null else fresh_paused_until end
    where key = any (p_keys);
end $$;

-- Users come before accounts in every transaction that holds both, and a row that names a user holds theirs a little:
-- who is about to leave one in an account they hold asks for it first.
create function keep_user(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where id = p_user for key share;
end $$;
revoke all on function keep_user(uuid) from public;
grant execute on function keep_user(uuid) to plinth_app, plinth_system;
grant create on schema public to plinth_system;
alter function keep_user(uuid) owner to plinth_system;
revoke create on schema public from plinth_system;
