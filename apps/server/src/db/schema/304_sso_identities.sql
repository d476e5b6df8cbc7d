-- A person at the identity provider, by connection and NameID. The row is deleted with the membership.
create table sso_identities (
  id uuid primary key,
  account_id uuid not null,
  connection_id uuid not null references sso_connections on delete cascade,
  name_id text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (connection_id, name_id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on update cascade on delete cascade
);
create index sso_identities_member on sso_identities (account_id, user_id);

alter table sso_identities enable row level security, force row level security;
create policy everything on sso_identities to plinth_system using (true) with check (true);
create policy own_account on sso_identities to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_identities to plinth_system;
