-- Counts a failed try: each key past its free failures pauses for 1 s, 2 s, 4 s ... up to p_longest seconds.
-- p_fresh: the longest pause for clients without failures of their own. p_crowd: the key that counts all
-- failures, or null.
create or replace function fail_brakes(p_now timestamptz, p_keys text[], p_longest integer, p_fresh integer,
  p_crowd text, p_crowd_seconds integer) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform from brakes where key = any (p_keys) order by key for update;
  update brakes b set
      paused_until = paused.till,
      fresh_paused_until = least(paused.till, p_now + make_interval(secs => p_fresh)),
      expires_at = greatest(b.expires_at, paused.till)
    from (
      select key, p_now + make_interval(secs => least(power(2, least(failures - free - 1, 20)), p_longest)) as till
        from brakes where key = any (p_keys) and failures > free) paused
    where b.key = paused.key;
  if p_crowd is null then return; end if;
  insert into brakes as b (key, failures, free, expires_at)
    values (p_crowd, 1, 0, p_now + make_interval(secs => p_crowd_seconds))
    on conflict (key) do update set
      failures = case when b.expires_at > p_now then b.failures else 0 end + 1,
      expires_at = case when b.expires_at > p_now then b.expires_at else excluded.expires_at end;
end $$;

revoke all on function fail_brakes from public;
grant execute on function fail_brakes to plinth_app;
alter function fail_brakes owner to plinth_system;
