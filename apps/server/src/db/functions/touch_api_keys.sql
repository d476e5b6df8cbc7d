-- Records the last use of API keys, for each key once a minute at most.
create or replace function touch_api_keys(p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update api_keys set last_used_at = p_now
    where id in (select k.id from api_keys k
      where k.id = any (p_ids) and (k.last_used_at is null or k.last_used_at < p_now - interval '1 minute')
      for update skip locked)
$$;

revoke all on function touch_api_keys from public;
grant execute on function touch_api_keys to plinth_app;
alter function touch_api_keys owner to plinth_system;
