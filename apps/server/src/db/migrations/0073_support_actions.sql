-- What support does in the payment provider's dashboard.

-- Customers of an account that were deleted at the provider: their invoices stay in its list.
create table former_customers (
  customer_id text primary key,
  account_id uuid not null references accounts on delete cascade,
  removed_at timestamptz not null
);
create index former_customers_account on former_customers (account_id, removed_at desc);
alter table former_customers enable row level security;
alter table former_customers force row level security;
create policy own_account on former_customers to plinth_app using (account_id = current_account())
  with check (account_id = current_account());
create policy everything on former_customers to plinth_system using (true) with check (true);
grant select, insert on former_customers to plinth_app;
grant select, insert, delete on former_customers to plinth_system;

-- The refund, credit note or dispute that a message is about.
alter table notices add column object_id text;

-- Support has paused collection: nothing is charged, until that day where there is one.
alter table subscriptions
  add column collection_paused boolean not null default false,
  add column collection_resumes_at timestamptz;
grant update (collection_paused, collection_resumes_at) on subscriptions to plinth_app;

-- Each of these is one line in the audit log.
alter table billing_told drop constraint billing_told_kind_check;
alter table billing_told add constraint billing_told_kind_check
  check (kind in (
    'payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded',
    'refund', 'credit_note', 'dispute', 'dispute_closed', 'second_subscription'
  ));
