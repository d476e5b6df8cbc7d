-- Webhooks of the payment provider, each handled once. They only say what changed; the state is read from the
-- provider.
create table payment_webhooks (
  id text primary key,
  type text not null,
  customer_id text,
  subscription_id text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  -- The refund, credit note or dispute of the webhook.
  object_id text
);
create index payment_webhooks_open on payment_webhooks (received_at) where handled_at is null;
create index payment_webhooks_handled on payment_webhooks (handled_at);

alter table payment_webhooks enable row level security, force row level security;
create policy everything on payment_webhooks to plinth_system using (true) with check (true);
grant select, insert, update, delete on payment_webhooks to plinth_system;
