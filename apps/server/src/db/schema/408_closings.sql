-- Closed accounts, without personal data: what still has to be ended at the payment provider.
create table closings (
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
create index closings_unsettled on closings (closed_at) where settled_at is null;
create index closings_settled on closings (settled_at);

alter table closings enable row level security, force row level security;
create policy everything on closings to plinth_system using (true) with check (true);
grant select, insert, update, delete on closings to plinth_system;
