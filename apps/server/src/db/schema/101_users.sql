create table users (
  id uuid primary key,
  email text not null check (is_email(email)),
  first_name text not null check (length(first_name) between 1 and 100),
  last_name text not null check (length(last_name) <= 100),
  password_hash text,
  verified_at timestamptz,
  locale text not null default 'en',
  dark_mode boolean not null default false,
  avatar text,
  duplicate_user boolean not null default false,
  onboarded_at timestamptz,
  default_account_id uuid,
  created_at timestamptz not null default now(),
  support_enabled boolean not null default false,
  -- An owner chose this password when creating the user. It only allows the user to choose a new one.
  password_given boolean not null default false,
  dark_mode_chosen boolean not null default false,
  constraint users_avatar check (avatar ~ '^/api/avatar/[A-Za-z0-9_-]{43}\.(png|jpg)$')
);
-- A verified address belongs to one user; unverified users may share it.
create unique index users_email_verified on users (email) where verified_at is not null;
create index users_email on users (email, created_at desc);
-- For the cleanup of unverified users.
create index users_unverified on users (created_at) where verified_at is null;

alter table users enable row level security, force row level security;
create policy everything on users to plinth_system using (true) with check (true);
grant select, insert, update, delete on users to plinth_system;
grant select on users to plinth_app;

create trigger delete_devices after update of verified_at, password_hash on users
  for each row
  when (old.verified_at is distinct from new.verified_at or old.password_hash is distinct from new.password_hash)
  execute function delete_devices();
create trigger orphan_avatar_file after delete or update of avatar on users for each row execute function orphan_avatar_file();
create trigger copy_user_to_memberships after update of first_name, last_name, email, verified_at, avatar on users
  for each row
  when ((old.first_name, old.last_name, old.email, old.verified_at is null, old.avatar)
    is distinct from (new.first_name, new.last_name, new.email, new.verified_at is null, new.avatar))
  execute function copy_user_to_memberships();
