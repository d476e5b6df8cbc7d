-- Trigger: deletes a user's devices when the address is verified or the password changes. Another person may have used
-- them.
create or replace function delete_devices() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from devices where user_id = new.id;
  return null;
end $$;

alter function delete_devices owner to plinth_system;
