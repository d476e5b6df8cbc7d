-- Trigger: copies a user's changed name, address, status and picture to all their memberships.
create or replace function copy_user_to_memberships() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update memberships set person_name = folded(trim(new.first_name || ' ' || new.last_name)), person_email = new.email,
    person_verified = new.verified_at is not null,
    person_first_name = new.first_name, person_last_name = new.last_name, person_avatar = new.avatar
    where user_id = new.id;
  return null;
end $$;

alter function copy_user_to_memberships owner to plinth_system;
