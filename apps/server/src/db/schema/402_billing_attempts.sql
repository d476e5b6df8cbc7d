-- One row for each attempt to pay, written before the payment provider is called. Its id is the idempotency
-- key. First purchases, plan changes and card replacements share the rule of one open attempt an account.
create table billing_attempts (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  plan text,
  -- Fixed with the attempt: a repeated call under its key must be identical.
  seats integer not null check (seats > 0),
  trial_days integer not null,
  card_token text,
  state text not null check (state in ('started', 'action_required', 'done', 'failed')),
  card_id text,
  provider_sub_id text,
  setup_intent_id text,
  payment_intent_id text,
  -- Error code of a failed attempt.
  failure text,
  -- Lease of the process that works on the attempt; it expires after a crash.
  busy_until timestamptz,
  network text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  kind text not null default 'first' check (kind in ('first', 'change', 'card')),
  -- The plan that a change leaves.
  from_plan text,
  -- The second at which the preview divided the period; null for the provider's own time.
  proration_date timestamptz,
  -- The card to go back to when a change with a new card is not paid.
  old_card_id text,
  -- When the new card came into use.
  replaced_at timestamptz,
  -- As typed by the user.
  promotion_code text check (promotion_code <> '' and length(promotion_code) <= 500),
  -- The provider's id of a valid code, stored before anything is charged, so that a repeated call costs the
  -- same.
  promotion_id text check (length(promotion_id) <= 255),
  -- The price that the user agreed to. It is compared with the provider's preview before anything is charged.
  quoted_amount integer,
  quoted_currency text check (length(quoted_currency) = 3),
  quoted_state text check (length(quoted_state) <= 64),
  -- The open invoices in the quote of a new card; it pays no others. Null without a quote.
  quoted_invoices text[],
  constraint billing_attempts_promotion
    check ((promotion_id is null or promotion_code is not null) and (promotion_code is null or kind <> 'card')),
  constraint billing_attempts_quoted
    check ((quoted_amount is null) = (quoted_state is null) and (quoted_currency is null) = (quoted_state is null)),
  constraint billing_attempts_whole
    check (case kind
      when 'first' then plan is not null and plan <> 'free' and card_token is not null
      when 'change' then plan is not null and provider_sub_id is not null
      else plan is null and card_token is not null end)
);
-- One open attempt an account: a double click finds the first one.
create unique index billing_attempts_open on billing_attempts (account_id)
  where state in ('started', 'action_required');
create index billing_attempts_account on billing_attempts (account_id, created_at desc);

alter table billing_attempts enable row level security, force row level security;
create policy own_account on billing_attempts to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on billing_attempts to plinth_system using (true) with check (true);
grant select, insert, update, delete on billing_attempts to plinth_system;
grant select, insert, update (state, card_id, provider_sub_id, setup_intent_id, payment_intent_id, failure,
  busy_until, updated_at, old_card_id, replaced_at, promotion_id, quoted_invoices)
  on billing_attempts to plinth_app;
