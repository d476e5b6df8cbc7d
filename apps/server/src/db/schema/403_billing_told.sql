-- Mails and audit entries about payments that were sent to an account's owners, each once.
create table billing_told (
  account_id uuid not null references accounts on delete cascade,
  kind text not null
    check (kind in ('payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded',
      'refund', 'credit_note', 'dispute', 'dispute_closed', 'second_subscription', 'receipt')),
  -- The invoice or the subscription.
  about text not null check (length(about) <= 300),
  told_at timestamptz not null,
  primary key (account_id, kind, about)
);

alter table billing_told enable row level security, force row level security;
create policy own_account on billing_told to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on billing_told to plinth_system using (true) with check (true);
grant select, insert, update, delete on billing_told to plinth_system;
grant select, insert on billing_told to plinth_app;
