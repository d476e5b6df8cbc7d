-- Begins a try. Returns {wait: seconds} while one of its keys pauses, else counts a failure under all keys,
-- so that parallel tries are counted, and returns {counts}. Past its free failures a key takes one try at a
-- time: it pauses for p_hold seconds. While p_crowd has more than p_crowd_free failures, p_tight failures are
-- free. p_shared pauses only until fresh_paused_until when the first key has no failures. Rows are made
-- before any is locked, and locked in the order of their keys, so that no two calls wait for each other.
create or replace function take_brakes(p_now timestamptz, p_keys text[], p_free integer[], p_tight integer[],
  p_seconds integer[], p_hold integer, p_crowd text, p_crowd_free integer, p_shared text) returns json
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  lazy text := set_config('synchronous_commit', 'off', true);
  allowed integer[] := p_free;
  held_until timestamptz := p_now + make_interval(secs => p_hold);
  known integer;
  crowded boolean;
  failed_before boolean;
  paused timestamptz;
  paused_fresh timestamptz;
  counts json;
begin
  select count(*) filter (where key <> p_crowd),
      bool_or(key = p_crowd and failures > p_crowd_free and expires_at > p_now)
    into known, crowded from brakes where key = any (p_keys || p_crowd);
  if crowded then
    allowed := p_tight;
  end if;
  if known < cardinality(p_keys) then
    insert into brakes (key, failures, free, expires_at)
      select key, 0, f, p_now + make_interval(secs => s)
        from unnest(p_keys, allowed, p_seconds) as asked (key, f, s) order by key
      on conflict (key) do nothing;
  end if;
  select bool_or(key = p_keys[1] and failures > 0 and expires_at > p_now), max(paused_until),
      max(case when key = p_shared then coalesce(fresh_paused_until, paused_until) else paused_until end)
    into failed_before, paused, paused_fresh
    from (select * from brakes where key = any (p_keys) order by key for update) locked;
  if not failed_before then
    paused := paused_fresh;
  end if;
  if paused > p_now then
    return json_build_object('wait', extract(epoch from paused - p_now)::double precision);
  end if;
  with taken as (
    update brakes b set
        failures = case when b.expires_at > p_now then b.failures else 0 end + 1,
        free = asked.f,
        -- A pause that only this client was exempt from goes on for the others.
        paused_until = case when case when b.expires_at > p_now then b.failures else 0 end >= asked.f
          then greatest(b.paused_until, held_until) end,
        fresh_paused_until = case when case when b.expires_at > p_now then b.failures else 0 end >= asked.f
          then held_until end,
        expires_at = case when b.expires_at > p_now then b.expires_at else p_now + make_interval(secs => asked.s) end
      from unnest(p_keys, allowed, p_seconds) as asked (key, f, s)
      where b.key = asked.key
      returning b.key, b.failures, b.paused_until is not null as held)
  select json_object_agg(key, json_build_object('failures', failures, 'held', held)) into counts from taken;
  return json_build_object('counts', counts);
end $$;

revoke all on function take_brakes from public;
grant execute on function take_brakes to plinth_app;
alter function take_brakes owner to plinth_system;
