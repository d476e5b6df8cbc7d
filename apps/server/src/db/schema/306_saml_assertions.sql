-- Assertions that were used, kept until their age alone makes them invalid.
create table saml_assertions (
  connection_id uuid not null references sso_connections on delete cascade,
  assertion_id text not null,
  keep_until timestamptz not null,
  primary key (connection_id, assertion_id)
);
create index saml_assertions_keep on saml_assertions (keep_until);

alter table saml_assertions enable row level security, force row level security;
create policy everything on saml_assertions to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_assertions to plinth_system;
