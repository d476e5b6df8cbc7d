-- Creates a session as create_session() does, after a verified password. It runs as plinth_system for a caller who knows
-- the password's hash, so that it needs no transaction.
-- p_request: see create_session(); what a caller may not choose is overwritten.
create or replace function sign_in(p_request jsonb) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if p_request ->> 'password_hash' is null then
    raise exception 'sign_in() needs the verified password hash';
  end if;
  return create_session(p_request || jsonb_build_object('method', 'password', 'asks', true, 'wanted', null,
    'second_factor', false, 'impersonator_id', null, 'sign_in_id', null, 'expires_at', null,
    'created_at', p_request -> 'now', 'authenticated_at', p_request -> 'now'), true);
end $$;

revoke all on function sign_in from public;
grant execute on function sign_in to plinth_app;
alter function sign_in owner to plinth_system;
