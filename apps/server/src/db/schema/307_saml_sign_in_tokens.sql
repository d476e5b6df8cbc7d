-- The identity provider's answer arrives without a cookie. The browser that asked exchanges this token for a session:
-- once, within two minutes.
create table saml_sign_in_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  browser_hash bytea not null,
  -- The person that the identity provider named, encrypted.
  sealed_person text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_sign_in_tokens_expires on saml_sign_in_tokens (expires_at);
create index saml_sign_in_tokens_connection on saml_sign_in_tokens (connection_id);

alter table saml_sign_in_tokens enable row level security, force row level security;
create policy everything on saml_sign_in_tokens to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_sign_in_tokens to plinth_system;
