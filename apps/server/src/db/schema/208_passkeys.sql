create table passkeys (
  id uuid primary key,
  user_id uuid not null references passkey_handles on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE, as sent by the authenticator.
  public_key bytea not null,
  -- Stays 0 where the authenticator does not count, as synced passkeys don't.
  counter bigint not null check (counter >= 0),
  -- Names with spaces between them, passed back to the browser.
  transports text not null,
  -- Available on several devices of the user.
  synced boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

alter table passkeys enable row level security, force row level security;
create policy everything on passkeys to plinth_system using (true) with check (true);
grant select, insert, update, delete on passkeys to plinth_system;
