-- Trigger: forgets a user's devices when the address is verified or the password changes. Earlier sign-ins
-- may have been another person's.
create or replace function forget_devices() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from devices where user_id = new.id;
  return null;
end $$;

alter function forget_devices owner to plinth_system;
