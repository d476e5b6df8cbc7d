create table sso_connections (
  id uuid primary key,
  account_id uuid not null unique references accounts on delete cascade,
  idp_entity_id text not null,
  sso_url text not null,
  -- PEM texts that answers are verified with. Changed by an owner only, never by a message.
  certificates jsonb not null,
  certificate_expires_at timestamptz not null,
  -- The last reminder: so many days before the certificate expires.
  warned_days integer check (warned_days in (30, 7, 1)),
  metadata_url text,
  -- Key and certificate of requests that we sign.
  sealed_key text,
  key_certificate text,
  default_role text not null default 'user' check (default_role in ('admin', 'developer', 'user')),
  -- The result of the last test, shown to the owner.
  test_result jsonb,
  tested_at timestamptz,
  enabled_at timestamptz,
  enforced_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null,
  check (enabled_at is null or tested_at is not null),
  check (enforced_at is null or enabled_at is not null)
);
create index sso_connections_expires on sso_connections (certificate_expires_at) where enabled_at is not null;
-- For sign-ins that start at the identity provider.
create index sso_connections_by_issuer on sso_connections (idp_entity_id) where enabled_at is not null;

alter table sso_connections enable row level security, force row level security;
create policy everything on sso_connections to plinth_system using (true) with check (true);
create policy own_account on sso_connections to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_connections to plinth_system;
grant select on sso_connections to plinth_app;
