-- Inserts a session and its device. Returns {found, new_device}: what find_sessions() returns, and whether
-- the device is new to the user; null without writing when p_alone is set and the device is new, because a
-- mail must go with it. It reads by index scans, not bitmap scans: those mark dead index entries, without
-- which each sign-in would be slower than the one before until the next vacuum.
create or replace function open_session(p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method
  text, p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_browser bytea, p_now
  timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at timestamptz, p_sign_in
  uuid, p_lifetimes json, p_alone boolean) returns json
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  -- An impersonator's browser is no device of the user.
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
    on conflict (user_id, browser_hash)
      do update set network = excluded.network, last_used_at = excluded.last_used_at;
  if p_impersonator is null and seen.away then
    update memberships set last_login_at = p_created_at
      where account_id = p_account and user_id = p_user and last_login_at < p_created_at - interval '1 minute';
  end if;
  -- Browsers seen once go first. Rows locked by another sign-in are skipped: no two sign-ins wait for each other.
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

revoke all on function open_session from public;
grant execute on function open_session to plinth_system;
