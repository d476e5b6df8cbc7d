-- Many sign-ins of one person at once, each from a new browser, forgot each other's old browsers in whatever order they
-- came, and two waited for each other until one was given up. What another one is just about to forget or to write
-- is left to it; the next sign-in looks again.
create or replace function open_session(
  p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text, p_second_factor boolean,
  p_impersonator uuid, p_agent text, p_network text,
  p_browser bytea, p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz,
  p_expires_at timestamptz, p_sign_in uuid, p_lifetimes json)
returns json
language plpgsql
as $$
declare
  own json := p_lifetimes -> case when p_impersonator is null and exists (select from masters where user_id = p_user)
    then 'master' else 'user' end;
  browsers integer;
  same_browser boolean;
  same_network boolean;
begin
  insert into sessions (id, token_hash, user_id, account_id, method, second_factor, impersonator_id, user_agent,
      network, browser_hash, created_at, last_used_at, authenticated_at, expires_at, sign_in_id, idle_seconds)
    values (p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
      p_network, p_browser, p_created_at, p_now, p_authenticated_at,
      least(p_expires_at, p_now + make_interval(secs => (own ->> 'absolute')::integer)),
      coalesce(p_sign_in, p_id), (own ->> 'idle')::integer);
  -- Support acts in a browser of its own, which is none of the user's devices.
  if p_impersonator is null and p_browser is not null then
    select count(*), coalesce(bool_or(d.browser_hash = p_browser), false), coalesce(bool_or(d.network = p_network), false)
      into browsers, same_browser, same_network from devices d where d.user_id = p_user;
    insert into devices (user_id, browser_hash, network, first_used_at, last_used_at)
      values (p_user, p_browser, p_network, p_now, p_now)
      on conflict (user_id, browser_hash) do update set network = excluded.network, last_used_at = excluded.last_used_at;
    -- Whoever signs in without keeping cookies is a new browser each time; those seen once go first.
    if browsers >= 20 and not same_browser then
      delete from devices d where d.user_id = p_user and d.browser_hash = any (array(
        select o.browser_hash from devices o where o.user_id = p_user and o.browser_hash in (
          select k.browser_hash from devices k where k.user_id = p_user
          order by (k.last_used_at > k.first_used_at) desc, k.last_used_at desc offset 20)
        for update skip locked));
    end if;
  end if;
  return json_build_object('found', find_session(p_token_hash, p_now),
    'new_device', coalesce(case when browsers > 0 then not same_browser and not same_network
      else p_sign_in is null and p_method <> 'reset' and exists (
        select from users u where u.id = p_user and u.verified_at < p_now - interval '1 day') end, false));
end $$;

