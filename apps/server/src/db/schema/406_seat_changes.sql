-- Accounts whose number of members changed while they pay by seat. Jobs report the change to the payment
-- provider.
create table seat_changes (
  account_id uuid primary key references accounts on delete cascade,
  -- Part of the idempotency key of the call to the provider; it never restarts for an account. The members
  -- are counted when the call is made.
  version bigint not null default 1,
  changed_at timestamptz not null default now(),
  synced_version bigint not null default 0,
  -- The last failed try: other accounts go first, this one after a pause.
  tried_at timestamptz
);
create index seat_changes_due on seat_changes (changed_at) where synced_version < version;

alter table seat_changes enable row level security, force row level security;
create policy everything on seat_changes to plinth_system using (true) with check (true);
grant select, insert, update, delete on seat_changes to plinth_system;
