-- Trigger: revokes the API keys of a former member. The rows stay, so that the other members see what
-- happened.
create or replace function revoke_member_keys() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update api_keys set revoked_at = now(), sealed_key = null
    where account_id = old.account_id and created_by = old.user_id and revoked_at is null;
  return null;
end $$;

alter function revoke_member_keys owner to plinth_system;
