-- Social sign-in: who a provider says somebody is, and the flows that are under way.

-- The key is what the issuer calls the person, never an address, which changes hands (T-58).
create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('google', 'github', 'microsoft', 'oidc')),
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  -- As the provider last said it: to be shown, never to be compared.
  email text check (length(email) <= 254),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (issuer, subject),
  -- A second person of the same provider is a mistake, or somebody who got the first one's address.
  unique (user_id, provider)
);

-- One row for each flow a browser has begun; it goes with its only use. The seal holds verifier and nonce.
create table social_flows (
  id uuid primary key,
  state_hash bytea not null unique,
  browser bytea not null,
  provider text not null,
  issuer text not null,
  -- Who connects the provider, and by which session: with that session the flow ends. Null for a sign-in.
  user_id uuid references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((user_id is null) = (session_id is null))
);
create index social_flows_user on social_flows (user_id) where user_id is not null;
create index social_flows_session on social_flows (session_id) where session_id is not null;
create index social_flows_expires on social_flows (expires_at);

-- What the provider said, sealed, from the browser's return until its page asks to be signed in: once.
create table social_handovers (
  id uuid primary key,
  token_hash bytea not null unique,
  browser bytea not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index social_handovers_expires on social_handovers (expires_at);

do $$
declare t text;
begin
  foreach t in array array['identities', 'social_flows', 'social_handovers'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;
