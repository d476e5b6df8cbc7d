-- Social sign-ins in progress. A row is deleted by its only use.
create table social_flows (
  id uuid primary key,
  state_hash bytea not null unique,
  browser bytea not null,
  provider text not null,
  issuer text not null,
  -- The user who connects the provider, and their session. Null for a sign-in.
  user_id uuid references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  -- Verifier and nonce, encrypted.
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((user_id is null) = (session_id is null))
);
create index social_flows_user on social_flows (user_id) where user_id is not null;
create index social_flows_session on social_flows (session_id) where session_id is not null;
create index social_flows_expires on social_flows (expires_at);

alter table social_flows enable row level security, force row level security;
create policy everything on social_flows to plinth_system using (true) with check (true);
grant select, insert, update, delete on social_flows to plinth_system;
