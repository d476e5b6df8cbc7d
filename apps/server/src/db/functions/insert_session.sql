-- Inserts a session and its device. Returns {found, new_device}: the entry of find_sessions(), and whether the device is
-- new to the user.
-- p_known_device_only: writes nothing and returns null for a new device, because the caller cannot enqueue its mail.
-- p_request: see create_session().
-- Bitmap scans are off because they leave dead index entries unmarked: each sign-in would be slower until the next
-- vacuum.
create or replace function insert_session(p_request jsonb, p_account uuid, p_known_device_only boolean) returns json
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  s sessions := jsonb_populate_record(null::sessions, p_request);
  now timestamptz := p_request ->> 'now';
  is_impersonation boolean := s.impersonator_id is not null;
  -- An impersonator's browser is not the user's device.
  has_device boolean := not is_impersonation and s.browser_hash is not null;
  seen record;
  lifetimes jsonb;
  new_device boolean;
begin
  select count(*) as browsers, coalesce(bool_or(d.browser_hash = s.browser_hash), false) as same_browser,
      coalesce(bool_or(d.network = s.network), false) as same_network,
      exists (select from masters where user_id = s.user_id) as master,
      (select count(*) from sessions o where o.user_id = s.user_id) as sessions,
      (select m.last_login_at < s.created_at - interval '1 minute' from memberships m
        where m.account_id = p_account and m.user_id = s.user_id) as away
    into seen from devices d where d.user_id = s.user_id;
  -- Without devices, it is the first sign-in, or the devices were deleted because they were unused or the password was
  -- reset.
  new_device := coalesce(case when has_device and seen.browsers > 0 then not seen.same_browser and not seen.same_network
    else s.sign_in_id is null and s.method <> 'reset' and exists (
      select from users u where u.id = s.user_id and u.verified_at < now - interval '1 day') end, false);
  if new_device and p_known_device_only then
    return null;
  end if;
  -- A user has 100 sessions at most. The least recently used are deleted, ten at a time.
  if not is_impersonation and seen.sessions >= 100 then
    delete from sessions where id = any (array(
      select o.id from sessions o where o.user_id = s.user_id order by o.last_used_at, o.id limit seen.sessions - 90
        for update skip locked));
  end if;
  lifetimes := p_request -> 'lifetimes' -> case when seen.master and not is_impersonation then 'master' else 'user' end;
  s.account_id := p_account;
  s.last_used_at := now;
  s.expires_at := least(s.expires_at, now + make_interval(secs => (lifetimes ->> 'absolute')::integer));
  s.idle_seconds := lifetimes ->> 'idle';
  s.sign_in_id := coalesce(s.sign_in_id, s.id);
  insert into sessions select s.*;
  if has_device then
    insert into devices (user_id, browser_hash, network, first_used_at, last_used_at)
      values (s.user_id, s.browser_hash, s.network, now, now)
      on conflict (user_id, browser_hash)
        do update set network = excluded.network, last_used_at = excluded.last_used_at;
  end if;
  if not is_impersonation and seen.away then
    update memberships m set last_login_at = s.created_at
      where m.account_id = p_account and m.user_id = s.user_id
        and m.last_login_at < s.created_at - interval '1 minute';
  end if;
  -- Clients without cookies add a device at each sign-in: at 30 devices, 10 are deleted, those used once first. Locked
  -- rows are skipped, so that parallel sign-ins do not wait for each other.
  if has_device and seen.browsers >= 30 and not seen.same_browser then
    delete from devices d where d.user_id = s.user_id and d.browser_hash = any (array(
      select o.browser_hash from devices o where o.user_id = s.user_id and o.browser_hash in (
        select k.browser_hash from devices k where k.user_id = s.user_id
        order by (k.last_used_at > k.first_used_at) desc, k.last_used_at desc offset 20)
      for update skip locked));
  end if;
  return json_build_object('found', find_sessions(array[s.token_hash], now) -> 0, 'new_device', new_device);
end $$;

revoke all on function insert_session from public;
grant execute on function insert_session to plinth_system;
