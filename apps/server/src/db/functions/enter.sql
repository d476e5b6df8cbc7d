-- Creates a session in the account that find_opening() chooses. Returns {opening, opened}; opened is missing
-- when single sign-on or the second factor is due first. p_asks: this sign-in method asks for the second
-- factor, and none was shown.
create or replace function enter(p_user uuid, p_wanted uuid, p_method text, p_password text, p_asks boolean,
  p_id uuid, p_token_hash bytea, p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text,
  p_browser bytea, p_now timestamptz, p_created_at timestamptz, p_authenticated_at timestamptz, p_expires_at
  timestamptz, p_sign_in uuid, p_lifetimes json, p_alone boolean) returns json
language plpgsql as $$
declare opening json := find_opening(p_user, p_wanted, p_method, p_password);
begin
  if opening is null or (opening ->> 'sso_required')::boolean or (p_asks and (opening ->> 'two_factor')::boolean) then
    return json_build_object('opening', opening);
  end if;
  return json_build_object('opening', opening, 'opened', open_session(p_id, p_token_hash, p_user,
    (opening ->> 'account_id')::uuid, p_method, p_second_factor, p_impersonator, p_agent, p_network, p_browser, p_now,
    p_created_at, p_authenticated_at, p_expires_at, p_sign_in, p_lifetimes, p_alone));
end $$;

revoke all on function enter from public;
grant execute on function enter to plinth_system;
