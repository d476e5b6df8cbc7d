create table events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  name text not null check (length(name) <= 50),
  metadata jsonb not null default '{}',
  created_at timestamptz not null
);
create index events_account on events (account_id, created_at desc);
create index events_created on events (created_at);
create index events_person on events (user_id, created_at) where user_id is not null;

alter table events enable row level security, force row level security;
create policy own_account on events to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on events to plinth_system using (true) with check (true);
grant select, insert, update, delete on events to plinth_system;
grant insert on events to plinth_app;
