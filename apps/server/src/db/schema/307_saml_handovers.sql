-- From the identity provider's answer, which carries no cookie, to the browser that asked. Two minutes, once.
create table saml_handovers (
  id uuid primary key,
  token_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  browser_hash bytea not null,
  -- The person that the identity provider named, encrypted.
  sealed_person text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_handovers_expires on saml_handovers (expires_at);
create index saml_handovers_connection on saml_handovers (connection_id);

alter table saml_handovers enable row level security, force row level security;
create policy everything on saml_handovers to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_handovers to plinth_system;
