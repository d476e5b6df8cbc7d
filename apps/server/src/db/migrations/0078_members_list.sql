-- The members' list reads memberships alone: it shows copies of the user's name and picture, which triggers keep.
-- Joining users costs a look-up and a row-level security check for each row.
alter table memberships
  add column person_first_name text not null default '',
  add column person_last_name text not null default '',
  add column person_avatar text;

set local role plinth_system;
update memberships m set person_first_name = u.first_name, person_last_name = u.last_name, person_avatar = u.avatar
  from users u where u.id = m.user_id;
reset role;

create or replace function describe_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select folded(trim(u.first_name || ' ' || u.last_name)), u.email, u.verified_at is not null,
      u.first_name, u.last_name, u.avatar
    into new.person_name, new.person_email, new.person_verified,
      new.person_first_name, new.person_last_name, new.person_avatar
    from users u where u.id = new.user_id;
  return new;
end $$;

create or replace function describe_memberships() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update memberships set person_name = folded(trim(new.first_name || ' ' || new.last_name)), person_email = new.email,
    person_verified = new.verified_at is not null,
    person_first_name = new.first_name, person_last_name = new.last_name, person_avatar = new.avatar
    where user_id = new.id;
  return null;
end $$;

drop trigger describe_memberships on users;
create trigger describe_memberships after update of first_name, last_name, email, verified_at, avatar on users for each row
  when ((old.first_name, old.last_name, old.email, old.verified_at is null, old.avatar)
    is distinct from (new.first_name, new.last_name, new.email, new.verified_at is null, new.avatar))
  execute function describe_memberships();
