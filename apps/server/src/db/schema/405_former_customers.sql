-- Customers that were deleted at the payment provider. The account still lists their invoices.
create table former_customers (
  customer_id text primary key,
  account_id uuid not null references accounts on delete cascade,
  removed_at timestamptz not null
);
create index former_customers_account on former_customers (account_id, removed_at desc);

alter table former_customers enable row level security, force row level security;
create policy own_account on former_customers to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on former_customers to plinth_system using (true) with check (true);
grant select, insert, delete on former_customers to plinth_system;
grant select, insert on former_customers to plinth_app;
