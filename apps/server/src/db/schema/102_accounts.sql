create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text,
  stripe_customer_id text unique,
  -- When the account had its trial: one for each account, also after the subscription has ended.
  trialed_at timestamptz,
  -- Reads of the provider's state are numbered when they start. A result older than the newest applied one is
  -- dropped.
  billing_reads integer not null default 0,
  billing_read_applied integer not null default 0,
  created_at timestamptz not null default now()
);

alter table accounts enable row level security, force row level security;
create policy everything on accounts to plinth_system using (true) with check (true);
create policy own_account on accounts to plinth_app
  using (id = current_account()) with check (id = current_account());
grant select, insert, update, delete on accounts to plinth_system;
grant select, update (plan, stripe_customer_id, trialed_at, billing_reads, billing_read_applied)
  on accounts to plinth_app;
