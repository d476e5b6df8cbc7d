-- What jobs carry to the payment provider, how far they have come, and what owners have been told of it.

-- An account's versions never begin anew: each is part of a key that the provider remembers for a day.
alter table seat_changes
  add column carried_version bigint not null default 0,
  -- When it was last tried in vain: others go first, and this one after a pause.
  add column tried_at timestamptz;
drop index seat_changes_changed;
create index seat_changes_due on seat_changes (changed_at) where carried_version < version;

-- The provider's meter that counts it, settled when it is reported; null where the plan of that moment has none.
alter table usage_events add column meter text check (length(meter) <= 100);
set local role plinth_system;
update usage_events e set meter = 'plinth_usage' from accounts a
  where a.id = e.account_id and a.plan = 'scale' and e.sent_at is null;
reset role;
drop index usage_events_unsent;
create index usage_events_unsent on usage_events (created_at) where meter is not null and sent_at is null;

-- What a closed account had used and the provider had not been told of: it is on the last invoice.
alter table closings add column usage jsonb not null default '[]';

-- Which mails about its payments an account's owners have had, each once: `about` is the invoice or the subscription.
create table billing_told (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('payment_failed', 'payment_action', 'trial_ends', 'subscription_ended')),
  about text not null check (length(about) <= 300),
  told_at timestamptz not null,
  primary key (account_id, kind, about)
);
alter table billing_told enable row level security;
alter table billing_told force row level security;
create policy own_account on billing_told to plinth_app using (account_id = current_account())
  with check (account_id = current_account());
create policy everything on billing_told to plinth_system using (true) with check (true);
grant select, insert on billing_told to plinth_app;
grant select, insert, update, delete on billing_told to plinth_system;
