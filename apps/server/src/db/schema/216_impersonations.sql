-- Links by which support acts as a user for half an hour, once each. Made on the command line, for the maker
-- alone.
create table impersonations (
  id uuid primary key,
  token_hash bytea not null unique,
  master_id uuid not null references masters on delete cascade,
  user_id uuid not null references users on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The link ends with the membership that it signs in to.
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index impersonations_master on impersonations (master_id);
create index impersonations_user on impersonations (user_id);
create index impersonations_account on impersonations (account_id, user_id);
create index impersonations_expires on impersonations (expires_at);

alter table impersonations enable row level security, force row level security;
create policy everything on impersonations to plinth_system using (true) with check (true);
grant select, insert, update, delete on impersonations to plinth_system;
