-- Usage of an account in a month. The row is locked while it is added to.
create table usage_months (
  account_id uuid not null references accounts on delete cascade,
  -- 2026-11, in UTC.
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  total bigint not null check (total >= 0),
  primary key (account_id, month)
);
create index usage_months_month on usage_months (month);

alter table usage_months enable row level security, force row level security;
create policy own_account on usage_months to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on usage_months to plinth_system using (true) with check (true);
grant select, insert, update, delete on usage_months to plinth_system;
grant select, insert, update (total) on usage_months to plinth_app;
