-- Completes a sign-in whose password was verified: consumes the user's rate limit, creates a session as
-- create_session() does, and releases the login throttle, whose locks other tries wait for, last. It runs as
-- plinth_system for a caller who knows the password's hash, so that it needs no transaction.
-- p_request: see create_session(); what a caller may not choose is overwritten. p_limit: `key`, `points` and `seconds` of the rate limit, or null.
create or replace function sign_in(p_request jsonb, p_keys text[], p_held text[], p_cleared text, p_limit jsonb)
  returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  now_ms bigint := extract(epoch from (p_request ->> 'now')::timestamptz) * 1000;
  seconds integer := p_limit ->> 'seconds';
  drawn integer := 0;
  ends bigint;
  entered json;
begin
  if p_request ->> 'password_hash' is null then
    raise exception 'sign_in() needs the verified password hash';
  end if;
  if p_limit is not null then
    insert into rate_limits as r (key, points, expire) values (p_limit ->> 'key', 1, now_ms + seconds * 1000)
      on conflict (key) do update set
        points = case when r.expire <= now_ms then 1 else r.points + 1 end,
        expire = case when r.expire <= now_ms then excluded.expire else r.expire end
      returning points, expire into drawn, ends;
  end if;
  if drawn > (p_limit ->> 'points')::integer then
    entered := json_build_object('wait', ends - now_ms);
  else
    entered := create_session(p_request || jsonb_build_object('method', 'password', 'asks', true, 'wanted', null,
      'second_factor', false, 'impersonator_id', null, 'sign_in_id', null, 'expires_at', null,
      'created_at', p_request -> 'now', 'authenticated_at', p_request -> 'now'), true);
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

revoke all on function sign_in from public;
grant execute on function sign_in to plinth_app;
alter function sign_in owner to plinth_system;
