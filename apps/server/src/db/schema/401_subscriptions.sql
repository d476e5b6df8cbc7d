create table subscriptions (
  account_id uuid primary key references accounts on delete cascade,
  -- Null for the free plan, which does not exist at the provider.
  provider_sub_id text unique,
  plan text not null,
  pending_plan text,
  provider_status text not null,
  -- Read by access rules and banners.
  status text not null
    check (status in ('active', 'trialing', 'requires_payment_method', 'requires_action', 'canceled')),
  seats integer not null default 1 check (seats >= 0),
  seat_price integer not null default 0,
  cancel_at_period_end boolean not null default false,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_end timestamptz,
  synced_at timestamptz not null,
  -- Support paused collection at the provider: nothing is charged until collection_resumes_at, if set.
  collection_paused boolean not null default false,
  collection_resumes_at timestamptz
);

alter table subscriptions enable row level security, force row level security;
create policy own_account on subscriptions to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on subscriptions to plinth_system using (true) with check (true);
grant select, insert, update, delete on subscriptions to plinth_system;
grant select, insert, update (provider_sub_id, plan, pending_plan, provider_status, status, seats, seat_price,
  cancel_at_period_end, current_period_start, current_period_end, trial_end, synced_at, collection_paused,
  collection_resumes_at) on subscriptions to plinth_app;
