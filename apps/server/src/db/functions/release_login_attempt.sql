-- After a right password: removes the attempt from the counters of p_keys and clears the counter of the client (p_own).
-- Then counts the sign-in of p_user, which allows `points` in `seconds`; returns the seconds to wait when it is over.
create or replace function release_login_attempt(p_keys text[], p_own text, p_now timestamptz, p_user json)
returns double precision
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  commit_mode text := set_config('synchronous_commit', 'off', true);
  now_ms bigint := extract(epoch from p_now) * 1000;
  used integer;
  ends bigint;
begin
  if p_user is not null then
    insert into rate_limits as r (key, points, expire)
      values (p_user ->> 'key', 1, now_ms + (p_user ->> 'seconds')::integer * 1000)
      on conflict (key) do update set
        points = case when r.expire <= now_ms then 1 else r.points + 1 end,
        expire = case when r.expire <= now_ms then excluded.expire else r.expire end
      returning points, expire into used, ends;
  end if;
  update login_throttle t set
      failures = case when t.key = p_own then 0 else greatest(t.failures - 1, 0) end,
      paused_until = null,
      newcomers_paused_until = null
    from (select key from login_throttle where key = any (p_keys) order by key for update) locked
    where t.key = locked.key;
  return case when used > (p_user ->> 'points')::integer then (ends - now_ms) / 1000.0 end;
end $$;

revoke all on function release_login_attempt from public;
grant execute on function release_login_attempt to plinth_app;
alter function release_login_attempt owner to plinth_system;
