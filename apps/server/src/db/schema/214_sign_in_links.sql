-- Links in mails about a new device. They end the session that they name.
create table sign_in_links (
  token_hash bytea primary key,
  sign_in_id uuid not null unique,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_links_user on sign_in_links (user_id);
create index sign_in_links_expires on sign_in_links (expires_at);

alter table sign_in_links enable row level security, force row level security;
create policy everything on sign_in_links to plinth_system using (true) with check (true);
grant select, insert, update, delete on sign_in_links to plinth_system;
