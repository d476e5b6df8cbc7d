-- A brake that several networks share holds up those that have not failed there for seconds alone, and no user has
-- more than a hundred sessions.

-- Until when it pauses for whoever has no failures under the first of their keys. Null: as for everybody.
alter table brakes add column fresh_paused_until timestamptz;

-- As before (0009), but p_shared, one of the keys, pauses only until fresh_paused_until for a try whose first key has no
-- failures that count.
create function take_brakes(p_now timestamptz, p_keys text[], p_free integer[], p_tight integer[], p_seconds integer[],
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
  insert into brakes (key, failures, free, expires_at)
    select key, 0, f, p_now + make_interval(secs => s)
      from unnest(p_keys, allowed, p_seconds) as asked (key, f, s) order by key
    on conflict (key) do nothing;
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

-- As before, and p_fresh is the longest that a shared key pauses for those without failures.
create function fail_brakes(p_now timestamptz, p_keys text[], p_longest integer, p_fresh integer, p_crowd text,
  p_crowd_seconds integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform fail_brakes(p_now, p_keys, p_longest, p_crowd, p_crowd_seconds);
  update brakes set fresh_paused_until = least(paused_until, p_now + make_interval(secs => p_fresh))
    where key = any (p_keys) and failures > free;
end $$;

revoke all on function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer, text)
  from public;
revoke all on function fail_brakes(timestamptz, text[], integer, integer, text, integer) from public;
grant execute on function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer, text)
  to plinth_app;
grant execute on function fail_brakes(timestamptz, text[], integer, integer, text, integer) to plinth_app;

-- Whoever signs in more often than that loses the session that was used longest ago (V7.1.2). What another sign-in is
-- just ending is left to it: no two wait for each other.
create function cap_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sessions where id in (
    select id from sessions where user_id = new.user_id and id <> new.id
      order by last_used_at desc, id desc offset 99 for update skip locked);
  return null;
end $$;
create trigger cap_sessions after insert on sessions for each row execute function cap_sessions();

grant create on schema public to plinth_system;
alter function take_brakes(timestamptz, text[], integer[], integer[], integer[], integer, text, integer, text)
  owner to plinth_system;
alter function fail_brakes(timestamptz, text[], integer, integer, text, integer) owner to plinth_system;
alter function cap_sessions() owner to plinth_system;
revoke create on schema public from plinth_system;
