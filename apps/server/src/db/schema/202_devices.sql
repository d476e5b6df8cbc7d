-- Browsers that a user has signed in with, each with the network it was last seen in.
create table devices (
  user_id uuid not null references users on delete cascade,
  browser_hash bytea not null,
  network text not null,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, browser_hash)
);
create index devices_last_used on devices (last_used_at);

alter table devices enable row level security, force row level security;
create policy everything on devices to plinth_system using (true) with check (true);
grant select, insert, update, delete on devices to plinth_system;
