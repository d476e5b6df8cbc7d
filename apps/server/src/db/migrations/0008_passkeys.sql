-- Passkeys: public keys of authenticators that sign a user in, both factors at once.

-- What authenticators know a user by: random, so that it says nothing of the user.
create table passkey_handles (
  user_id uuid primary key references users on delete cascade,
  handle bytea not null unique check (length(handle) = 32)
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references passkey_handles (user_id) on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE, as the authenticator gave it.
  public_key bytea not null,
  -- How often it has signed; 0 for ever where the authenticator does not count, as synced passkeys don't.
  counter bigint not null check (counter >= 0),
  -- How the browser reaches it, to be told again: names, with spaces between them.
  transports text not null,
  -- It lives on several devices of its owner.
  synced boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- One row for each ceremony that a browser has begun; it goes with its only use.
create table passkey_challenges (
  challenge_hash bytea primary key,
  browser bytea not null,
  -- Who adds a passkey; null for a sign-in, which names nobody.
  user_id uuid references users on delete cascade,
  purpose text not null check (purpose in ('register', 'sign_in')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((purpose = 'register') = (user_id is not null))
);
create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expires on passkey_challenges (expires_at);

do $$
declare t text;
begin
  foreach t in array array['passkey_handles', 'passkeys', 'passkey_challenges'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;
