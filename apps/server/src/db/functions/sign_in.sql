-- Completes a sign-in whose password was verified: consumes the user's rate limit, creates a session as
-- enter() does, and releases the login throttle, whose locks other tries wait for, last. It runs as
-- plinth_system for a caller who knows the password's hash, so that it needs no transaction.
create or replace function sign_in(p_user uuid, p_password text, p_id uuid, p_token_hash bytea, p_agent text,
  p_network text, p_browser bytea, p_now timestamptz, p_lifetimes json, p_keys text[], p_held text[], p_cleared
  text, p_budget text, p_points integer, p_seconds integer) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  now_ms bigint := extract(epoch from p_now) * 1000;
  drawn integer := 0;
  ends bigint;
  entered json;
begin
  if p_password is null then
    raise exception 'sign_in() needs the verified password hash';
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

revoke all on function sign_in from public;
grant execute on function sign_in to plinth_app;
alter function sign_in owner to plinth_system;
