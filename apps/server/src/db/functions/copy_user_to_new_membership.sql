-- Trigger: copies the user's name, address, status and picture to a new membership.
create or replace function copy_user_to_new_membership() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select folded(trim(u.first_name || ' ' || u.last_name)), u.email, u.verified_at is not null,
      u.first_name, u.last_name, u.avatar
    into new.person_name, new.person_email, new.person_verified,
      new.person_first_name, new.person_last_name, new.person_avatar
    from users u where u.id = new.user_id;
  return new;
end $$;

alter function copy_user_to_new_membership owner to plinth_system;
