-- A sign-in waits for the database as seldom as it can: what belongs together is one call.

-- The account that a new session opens (find_opening) and, unless something stands before it, the session
-- (open_session). p_asks: this way in asks for the second factor, and it has not been shown.
create function enter(p_user uuid, p_wanted uuid, p_method text, p_password text, p_asks boolean, p_id uuid,
  p_token_hash bytea, p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_browser bytea,
  p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at timestamptz, p_sign_in uuid,
  p_lifetimes json) returns json
language plpgsql as $$
declare opening json := find_opening(p_user, p_wanted, p_method, p_password);
begin
  if opening is null or (opening ->> 'sso_required')::boolean or (p_asks and (opening ->> 'two_factor')::boolean) then
    return json_build_object('opening', opening);
  end if;
  return json_build_object('opening', opening, 'opened', open_session(p_id, p_token_hash, p_user,
    (opening ->> 'account_id')::uuid, p_method, p_second_factor, p_impersonator, p_agent, p_network, p_browser, p_now,
    p_created_at, p_authenticated_at, p_expires_at, p_sign_in, p_lifetimes));
end $$;

-- A right password: as release_brakes (0009), and it is drawn from a budget. Answers how often that was drawn on, and
-- the milliseconds until it starts anew.
create function release_brakes(p_now timestamptz, p_keys text[], p_held text[], p_cleared text, p_budget text,
  p_seconds integer) returns json
language plpgsql set search_path = public, pg_temp as $$
declare
  now_ms bigint := extract(epoch from p_now) * 1000;
  drawn json;
begin
  perform release_brakes(p_keys, p_held, p_cleared);
  insert into rate_limits as r (key, points, expire) values (p_budget, 1, now_ms + p_seconds * 1000)
    on conflict (key) do update set
      points = case when r.expire <= now_ms then 1 else r.points + 1 end,
      expire = case when r.expire <= now_ms then excluded.expire else r.expire end
    returning json_build_object('points', points, 'wait', expire - now_ms) into drawn;
  return drawn;
end $$;

-- As before (0014), but it locks what goes alone: rows that an offset passes over are locked, too.
create or replace function cap_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sessions where id in (
    select id from sessions where id in (
        select id from sessions where user_id = new.user_id and id <> new.id
          order by last_used_at desc, id desc offset 99)
      for update skip locked);
  return null;
end $$;

revoke all on function enter(uuid, uuid, text, text, boolean, uuid, bytea, boolean, uuid, text, text, bytea, timestamptz,
  timestamptz, timestamptz, timestamptz, uuid, json) from public;
revoke all on function release_brakes(timestamptz, text[], text[], text, text, integer) from public;
grant execute on function enter(uuid, uuid, text, text, boolean, uuid, bytea, boolean, uuid, text, text, bytea,
  timestamptz, timestamptz, timestamptz, timestamptz, uuid, json) to plinth_system;
grant execute on function release_brakes(timestamptz, text[], text[], text, text, integer) to plinth_app;
