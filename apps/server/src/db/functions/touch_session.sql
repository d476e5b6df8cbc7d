-- Records the last use of a session.
create or replace function touch_session(p_token_hash bytea, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update sessions set last_used_at = p_now where token_hash = p_token_hash and last_used_at < p_now
$$;

revoke all on function touch_session from public;
grant execute on function touch_session to plinth_app;
alter function touch_session owner to plinth_system;
