-- Rows are only added: no grant allows update or delete. anonymize_audit_log() alone removes personal data from
-- them.
create table audit_log (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid,
  action text not null,
  target text,
  metadata jsonb not null default '{}',
  network text not null default '',
  created_at timestamptz not null,
  -- A column, because row-level security lets no computed expression use an index.
  area text not null generated always as (split_part(action, '.', 1)) stored
);
create index audit_log_user on audit_log (user_id);
create index audit_log_metadata on audit_log using gin (metadata);
create index audit_log_account on audit_log (account_id, created_at, id);
create index audit_log_area on audit_log (account_id, area, created_at, id);
create index audit_log_person on audit_log (account_id, user_id, created_at, id);

alter table audit_log enable row level security, force row level security;
create policy own_account on audit_log to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on audit_log to plinth_system using (true) with check (true);
-- Lets anonymize_audit_log(), which the owner of the table runs, remove personal data.
create policy forgetting on audit_log to current_user using (true) with check (true);
grant select, insert on audit_log to plinth_system;
grant select, insert on audit_log to plinth_app;
