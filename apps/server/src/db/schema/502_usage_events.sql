-- Reported usage, each report once. Metered usage is sent to the payment provider under the row's id.
create table usage_events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  api_key_id uuid references api_keys on delete set null,
  -- Chosen by the sender.
  identifier text not null check (length(identifier) between 1 and 100),
  quantity integer not null check (quantity > 0),
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- The provider's meter, fixed when the usage is reported; null when the plan has none.
  meter text check (length(meter) <= 100),
  -- When the provider rejected the report: it is retried after a day.
  refused_at timestamptz,
  unique (account_id, identifier)
);
create index usage_events_account on usage_events (account_id, occurred_at);
create index usage_events_key on usage_events (api_key_id);
create index usage_events_created on usage_events (created_at);
create index usage_events_unsent on usage_events (created_at) where meter is not null and sent_at is null;

alter table usage_events enable row level security, force row level security;
create policy own_account on usage_events to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on usage_events to plinth_system using (true) with check (true);
grant select, insert, update, delete on usage_events to plinth_system;
grant select, insert on usage_events to plinth_app;
