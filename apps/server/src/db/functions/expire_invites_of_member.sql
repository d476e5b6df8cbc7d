-- Trigger: expires the invites of a member who left or whose role changed.
create or replace function expire_invites_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform expire_invites_of(old.user_id, old.account_id);
  return null;
end $$;

alter function expire_invites_of_member owner to plinth_system;
