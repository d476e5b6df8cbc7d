-- Creates a session in the account that choose_account() chooses. Returns {account, session}: the chosen account, and
-- the result of insert_session(). session is missing when single sign-on or the second factor is required first.
-- p_request: a row of sessions, and
--   now: the current time,
--   lifetimes: of `user` and `master`, `idle` and `absolute` in seconds,
--   wanted_account_id: the account to open,
--   password_hash: the hash that the password was verified against,
--   asks_second_factor: true when this sign-in method requires a second factor and none was shown.
-- p_known_device_only: see insert_session().
create or replace function create_session(p_request jsonb, p_known_device_only boolean) returns json
language plpgsql as $$
declare
  account json := choose_account((p_request ->> 'user_id')::uuid, (p_request ->> 'wanted_account_id')::uuid,
    p_request ->> 'method', p_request ->> 'password_hash');
begin
  if account is null or (account ->> 'sso_required')::boolean
      or ((p_request ->> 'asks_second_factor')::boolean and (account ->> 'two_factor')::boolean) then
    return json_build_object('account', account);
  end if;
  return json_build_object('account', account,
    'session', insert_session(p_request, (account ->> 'account_id')::uuid, p_known_device_only));
end $$;

revoke all on function create_session from public;
grant execute on function create_session to plinth_system;
