-- The random id that authenticators know a user by; it says nothing about the user.
create table passkey_handles (
  user_id uuid primary key references users on delete cascade,
  handle bytea not null unique check (length(handle) = 32)
);

alter table passkey_handles enable row level security, force row level security;
create policy everything on passkey_handles to plinth_system using (true) with check (true);
grant select, insert, update, delete on passkey_handles to plinth_system;
