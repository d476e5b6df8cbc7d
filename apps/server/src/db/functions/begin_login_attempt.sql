-- Finds the users of an address who can sign in, and counts the attempt as failed until release_login_attempt() takes it
-- back, so that many attempts at once can't all pass. During a pause it counts nothing and returns `wait` in seconds.
-- p_throttle (rate-limit/login-throttle.ts): `known`, the limits for a browser that one of these users has signed in
-- with; `unknown`, those for other browsers; `longest`, the longest pause in seconds. The first limit counts this
-- client alone.
create or replace function begin_login_attempt(p_email text, p_candidates integer, p_browser bytea, p_now timestamptz,
  p_throttle json) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  -- A crash may lose the last half second of counts; an attempt does not wait for the disk.
  commit_mode text := set_config('synchronous_commit', 'off', true);
  longest integer := p_throttle ->> 'longest';
  candidates json;
  knows_browser boolean;
  limits json;
  own_key text;
  keys text[];
  existing integer;
  attacked boolean;
  failed_before boolean;
  paused timestamptz;
  newcomers_paused timestamptz;
  failures json;
begin
  select coalesce(json_agg(c), '[]'), coalesce(bool_or(c.knows_browser), false) into candidates, knows_browser from (
    select u.id, u.password_hash, u.verified_at is not null as verified,
      u.verified_at is not null and exists (
        select from devices d where d.user_id = u.id and d.browser_hash = p_browser) as knows_browser
    from users u where u.email = p_email
    order by u.verified_at is null, u.created_at desc limit p_candidates) c;
  limits := p_throttle -> case when knows_browser then 'known' else 'unknown' end;
  own_key := limits #>> '{0,key}';

  select array_agg(l.key), count(t.key), coalesce(bool_or(t.failures > l.attack_above and t.expires_at > p_now), false)
    into keys, existing, attacked
    from json_to_recordset(limits) as l (key text, attack_above integer) left join login_throttle t on t.key = l.key;
  -- Missing rows are inserted first, because only existing rows can be locked. Ordered by key to prevent deadlocks.
  if existing < cardinality(keys) then
    insert into login_throttle (key, failures, expires_at) select k, 0, p_now from unnest(keys) k order by k
      on conflict (key) do nothing;
  end if;
  select bool_or(key = own_key and l.failures > 0 and l.expires_at > p_now), max(paused_until), max(newcomers_paused_until)
    into failed_before, paused, newcomers_paused
    from (select * from login_throttle where key = any (keys) order by key for update) l;
  if not failed_before then
    paused := newcomers_paused;
  end if;
  if paused > p_now then
    return json_build_object('wait', extract(epoch from paused - p_now)::double precision);
  end if;

  -- Pauses of 1, 2, 4 … seconds follow the free failures; null before.
  with counted as (
    update login_throttle t set
        failures = n.failures,
        paused_until = p_now + n.pause * interval '1 second',
        newcomers_paused_until = p_now + case when n.pause > n.grace then n.grace else n.pause end * interval '1 second',
        expires_at = greatest(n.expires_at, p_now + n.pause * interval '1 second')
      from (
        select l.key, l.grace, c.failures, c.expires_at,
          case when c.failures > l.free then least(2 ^ least(c.failures - l.free - 1, 20), longest) end as pause
        from (
          select key, seconds, grace, case when attacked then free_under_attack else free end as free
          from json_to_recordset(limits)
            as l (key text, free integer, free_under_attack integer, seconds integer, grace integer)) l
        join login_throttle o on o.key = l.key
        cross join lateral (
          select case when o.expires_at > p_now then o.failures else 0 end + 1 as failures,
            case when o.expires_at > p_now then o.expires_at else p_now + l.seconds * interval '1 second' end as expires_at
          ) c) n
      where t.key = n.key
      returning t.key, t.failures)
  select json_object_agg(c.key, c.failures) into failures from counted c;
  return json_build_object('candidates', candidates, 'failures', failures);
end $$;

revoke all on function begin_login_attempt from public;
grant execute on function begin_login_attempt to plinth_app;
alter function begin_login_attempt owner to plinth_system;
