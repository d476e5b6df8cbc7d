create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- The key acts with the role of this member.
  created_by uuid references users on delete set null,
  name text not null check (length(name) between 1 and 100),
  -- Beginning and end, for display.
  masked text not null check (length(masked) <= 60),
  -- Words with a space between them.
  scope text not null check (scope <> ''),
  key_hash bytea not null unique,
  -- The whole key, encrypted, to be revealed. Null when revealing is switched off, and once the key is
  -- revoked.
  sealed_key text,
  -- Name and beginning without case and accents, for search and sorting.
  search_text text collate "C" not null,
  -- With the precision of a cursor.
  created_at timestamptz(3) not null,
  expires_at timestamptz,
  -- The last reminder: so many days before the end.
  warned_days integer,
  revoked_at timestamptz,
  last_used_at timestamptz
);
-- Not by id alone: the planner would scan the ids of all accounts.
create index api_keys_account on api_keys (account_id, created_at, id);
create index api_keys_account_name on api_keys (account_id, search_text, id);
create index api_keys_active on api_keys (account_id) where revoked_at is null;
create index api_keys_maker on api_keys (created_by);
create index api_keys_expires on api_keys (expires_at) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at);

alter table api_keys enable row level security, force row level security;
create policy own_account on api_keys to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on api_keys to plinth_system using (true) with check (true);
grant select, insert, update, delete on api_keys to plinth_system;
grant select, insert, delete, update (name, scope, sealed_key, search_text, revoked_at)
  on api_keys to plinth_app;

create trigger revoke_orphaned_key before update of created_by on api_keys
  for each row when (new.created_by is null) execute function revoke_orphaned_key();
