-- Cards that have had a trial, by the hash of the provider's fingerprint. A row outlives its account.
create table trial_cards (
  fingerprint_hash bytea primary key,
  account_id uuid not null,
  created_at timestamptz not null
);
create index trial_cards_account on trial_cards (account_id);

alter table trial_cards enable row level security, force row level security;
create policy everything on trial_cards to plinth_system using (true) with check (true);
grant select, insert, update, delete on trial_cards to plinth_system;
