-- Creates a session after a verified password. It runs as plinth_system, but requires the current password hash, so
-- plinth_app can call it in one statement without a transaction.
-- p_request: see create_session(). Fields that the caller may not choose are overwritten.
create or replace function create_password_session(p_request jsonb) returns json
language plpgsql security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if p_request ->> 'password_hash' is null then
    raise exception 'create_password_session() needs the verified password hash';
  end if;
  return create_session(p_request || jsonb_build_object('method', 'password', 'asks_second_factor', true, 'wanted_account_id', null,
    'second_factor', false, 'impersonator_id', null, 'sign_in_id', null, 'expires_at', null,
    'created_at', p_request -> 'now', 'authenticated_at', p_request -> 'now'), true);
end $$;

revoke all on function create_password_session from public;
grant execute on function create_password_session to plinth_app;
alter function create_password_session owner to plinth_system;
