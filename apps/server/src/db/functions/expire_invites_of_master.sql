-- Trigger: expires the invites of a user who is no longer a master.
create or replace function expire_invites_of_master() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform expire_invites_of(old.user_id, null);
  return null;
end $$;

alter function expire_invites_of_master owner to plinth_system;
