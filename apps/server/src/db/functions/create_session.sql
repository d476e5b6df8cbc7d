-- Creates a session in the account that choose_account() chooses. Returns {opening, opened}: the chosen account, and
-- the result of insert_session(). opened is missing when single sign-on or the second factor is due first.
-- p_request: a row of sessions, and `now`, `lifetimes` (of `user` and `master`: `idle` and `absolute` in seconds),
-- `wanted` (account id), `password_hash` (the hash that the password was verified against) and `asks` (this method asks
-- for the second factor, and none was shown).
-- p_alone: writes nothing when a mail must be sent with the session.
create or replace function create_session(p_request jsonb, p_alone boolean) returns json
language plpgsql as $$
declare
  opening json := choose_account((p_request ->> 'user_id')::uuid, (p_request ->> 'wanted')::uuid,
    p_request ->> 'method', p_request ->> 'password_hash');
begin
  if opening is null or (opening ->> 'sso_required')::boolean
      or ((p_request ->> 'asks')::boolean and (opening ->> 'two_factor')::boolean) then
    return json_build_object('opening', opening);
  end if;
  return json_build_object('opening', opening,
    'opened', insert_session(p_request, (opening ->> 'account_id')::uuid, p_alone));
end $$;

revoke all on function create_session from public;
grant execute on function create_session to plinth_system;
