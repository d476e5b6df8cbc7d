-- Mails and audit entries about payments that were sent to an account's owners, each once.
create table billing_notifications_sent (
  account_id uuid not null references accounts on delete cascade,
  kind text not null
    check (kind in ('payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded',
      'refund', 'credit_note', 'dispute', 'dispute_closed', 'second_subscription', 'receipt')),
  -- The invoice, subscription, payment, refund or dispute; for a trial with its end.
  object_id text not null check (length(object_id) <= 300),
  sent_at timestamptz not null,
  primary key (account_id, kind, object_id)
);

alter table billing_notifications_sent enable row level security, force row level security;
create policy own_account on billing_notifications_sent to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on billing_notifications_sent to plinth_system using (true) with check (true);
grant select, insert, update, delete on billing_notifications_sent to plinth_system;
grant select, insert on billing_notifications_sent to plinth_app;
