-- Sign-ins whose first factor was right and whose second factor is due. The token allows that step only.
create table challenges (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  -- The method of the session to come.
  method text not null,
  account_id uuid not null references accounts on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The end of the session that the identity provider demands.
  session_until timestamptz
);
create index challenges_user on challenges (user_id);
create index challenges_account on challenges (account_id);
create index challenges_expires on challenges (expires_at);

alter table challenges enable row level security, force row level security;
create policy everything on challenges to plinth_system using (true) with check (true);
grant select, insert, update, delete on challenges to plinth_system;
