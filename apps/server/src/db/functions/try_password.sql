-- Finds the users of an address and begins a try at their password, as take_brakes() does: under the first
-- key alone when one of them has signed in with this browser, else under the others. Without keys the
-- throttle counts elsewhere.
create or replace function try_password(p_email text, p_most integer, p_browser bytea, p_now timestamptz, p_keys
  text[], p_free integer[], p_tight integer[], p_seconds integer[], p_hold integer, p_crowd text, p_crowd_free
  integer, p_shared text) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  candidates json;
  knows boolean;
  mine integer;
  last integer;
  taken json;
begin
  select coalesce(json_agg(c), '[]'), coalesce(bool_or(c.knows_browser), false) into candidates, knows from (
    select u.id, u.password_hash, u.verified_at is not null as verified,
      u.verified_at is not null and exists (
        select from devices d where d.user_id = u.id and d.browser_hash = p_browser) as knows_browser
    from users u where u.email = p_email
    order by u.verified_at is null, u.created_at desc limit p_most) c;
  if p_keys is not null then
    mine := case when knows then 1 else 2 end;
    last := case when knows then 1 else cardinality(p_keys) end;
    taken := take_brakes(p_now, p_keys[mine:last], p_free[mine:last], p_tight[mine:last], p_seconds[mine:last],
      p_hold, p_crowd, p_crowd_free, case when not knows then p_shared end);
  end if;
  return json_build_object('candidates', candidates, 'knows_browser', knows, 'taken', taken);
end $$;

revoke all on function try_password from public;
grant execute on function try_password to plinth_app;
alter function try_password owner to plinth_system;
