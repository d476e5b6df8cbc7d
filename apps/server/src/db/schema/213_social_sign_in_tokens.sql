-- The identity that a provider confirmed. The page exchanges the token for a session: once, within two minutes.
create table social_sign_in_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  browser bytea not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index social_sign_in_tokens_expires on social_sign_in_tokens (expires_at);

alter table social_sign_in_tokens enable row level security, force row level security;
create policy everything on social_sign_in_tokens to plinth_system using (true) with check (true);
grant select, insert, update, delete on social_sign_in_tokens to plinth_system;
