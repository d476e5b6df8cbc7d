-- Closed accounts, without personal data: what still has to be ended at the payment provider.
create table account_closures (
  account_id uuid primary key,
  closed_by uuid not null,
  customer_id text,
  closed_at timestamptz not null,
  -- Set when nothing at the provider can cost anything.
  settled_at timestamptz,
  -- Usage that was not yet reported; it goes on the last invoice.
  usage jsonb not null default '[]',
  -- First purchases that were unfinished at the closing. What they are charged is refunded.
  attempts jsonb not null default '[]'
);
create index account_closures_unsettled on account_closures (closed_at) where settled_at is null;
create index account_closures_settled on account_closures (settled_at);

alter table account_closures enable row level security, force row level security;
create policy everything on account_closures to plinth_system using (true) with check (true);
grant select, insert, update, delete on account_closures to plinth_system;
