-- Requests that wait for the identity provider's answer. A row is deleted by its only use.
create table saml_requests (
  -- The id in the SAML request, named by its answer.
  id text primary key,
  -- Hash of the RelayState, by which the answer finds its request.
  relay_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  purpose text not null check (purpose in ('sign_in', 'test')),
  browser_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_requests_expires on saml_requests (expires_at);
create index saml_requests_connection on saml_requests (connection_id);

alter table saml_requests enable row level security, force row level security;
create policy everything on saml_requests to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_requests to plinth_system;
