create table invites (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  email text not null check (is_email(email)),
  role text not null check (role in ('admin', 'developer', 'user')),
  -- The secret of the mailed link; it is not the id, which is listed.
  secret_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  first_name text not null default '' check (length(first_name) <= 100),
  last_name text not null default '' check (length(last_name) <= 100),
  unique (account_id, email)
);
create index invites_email on invites (email);
create index invites_by_email on invites (account_id, email collate "C", id);
-- For lists sorted by a column that invites do not have.
create index invites_account on invites (account_id, id);
create index invites_invited_by on invites (invited_by);

alter table invites enable row level security, force row level security;
create policy own_account on invites to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on invites to plinth_system using (true) with check (true);
grant select, insert, update, delete on invites to plinth_system;
grant select, insert, update (role, secret_hash, invited_by, sent_at, expires_at, first_name, last_name)
  on invites to plinth_app;

-- A deleted user's memberships and invites change in no fixed order.
create trigger expire_orphaned_invite before update of invited_by on invites
  for each row when (new.invited_by is null) execute function expire_orphaned_invite();
