-- The identity that a provider confirmed, from the browser's return until the page exchanges it: once.
create table social_handovers (
  id uuid primary key,
  token_hash bytea not null unique,
  browser bytea not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index social_handovers_expires on social_handovers (expires_at);

alter table social_handovers enable row level security, force row level security;
create policy everything on social_handovers to plinth_system using (true) with check (true);
grant select, insert, update, delete on social_handovers to plinth_system;
