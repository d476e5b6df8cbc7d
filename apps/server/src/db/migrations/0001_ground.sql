-- The ground floor: people, accounts, sessions, tokens, billing, events.
-- Every table with an account_id has row-level security enabled and forced; plinth_app sees the account of its
-- transaction, plinth_system sees all. Neither can log in; the server's own role is a member of both.

create table users (
  id uuid primary key,
  email text not null check (email = lower(email) and length(email) <= 254),
  first_name text not null check (length(first_name) between 1 and 100),
  last_name text not null check (length(last_name) <= 100),
  password_hash text,
  verified_at timestamptz,
  locale text not null default 'en',
  dark_mode boolean not null default false,
  avatar text,
  duplicate_user boolean not null default false,
  onboarded_at timestamptz,
  default_account_id uuid,
  created_at timestamptz not null default now()
);
-- An address belongs to one person once it is proven; unproven rows may share it.
create unique index users_email_verified on users (email) where verified_at is not null;
create index users_email on users (email, created_at desc);
-- For the sweep.
create index users_unproven on users (created_at) where verified_at is null;

-- Written on the command line only, never by a call (T-42).
create table masters (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz not null default now()
);

create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text check (plan in ('free', 'startup', 'startup_yearly', 'scale')),
  stripe_customer_id text unique,
  -- A trial is given once per account, whatever becomes of the subscription.
  trialed_at timestamptz,
  -- Reads of the provider's state are numbered as they begin; an answer older than the newest applied one is dropped.
  billing_reads integer not null default 0,
  billing_read_applied integer not null default 0,
  created_at timestamptz not null default now()
);

create table memberships (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'user')),
  created_at timestamptz not null default now(),
  primary key (account_id, user_id)
);
create index memberships_user on memberships (user_id, created_at);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  account_id uuid not null,
  method text not null check (method in ('sign_up', 'password', 'verification', 'invite', 'switch')),
  user_agent text not null default '',
  network text not null default '',
  created_at timestamptz not null,
  -- When the person last proved who they are; step-up looks here.
  authenticated_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  -- Losing the membership ends the sessions that stand on it.
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index sessions_user on sessions (user_id);
create index sessions_account_user on sessions (account_id, user_id);
create index sessions_expires on sessions (expires_at);

-- Secrets that travel by mail. Only the hash is kept; the purpose keeps one kind from passing for another.
create table mailed_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('verify_email')),
  user_id uuid not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mailed_tokens_user on mailed_tokens (user_id, purpose);
create index mailed_tokens_expires on mailed_tokens (expires_at);

create table invites (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('admin', 'developer', 'user')),
  -- The secret of the mailed link; the listed id is another (T-36).
  secret_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, email)
);

create table subscriptions (
  account_id uuid primary key references accounts on delete cascade,
  -- Null for the free plan, which has no object at the provider.
  provider_sub_id text unique,
  plan text not null check (plan in ('free', 'startup', 'startup_yearly', 'scale')),
  pending_plan text check (pending_plan in ('free', 'startup', 'startup_yearly', 'scale')),
  provider_status text not null,
  -- What the access rules and banners read (payments.md, section 1).
  status text not null check (status in ('active', 'trialing', 'requires_payment_method', 'requires_action', 'canceled')),
  seats integer not null default 1 check (seats >= 0),
  seat_price integer not null default 0,
  cancel_at_period_end boolean not null default false,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_end timestamptz,
  synced_at timestamptz not null
);

-- One row per try to pay, written before the provider is called: its id is the idempotency key (T-62).
create table billing_attempts (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  plan text not null check (plan in ('startup', 'startup_yearly', 'scale')),
  -- Fixed with the attempt: a call that is made again under its key must say the same thing.
  seats integer not null check (seats > 0),
  trial_days integer not null,
  card_token text not null,
  state text not null check (state in ('started', 'action_required', 'done', 'failed')),
  card_id text,
  provider_sub_id text,
  setup_intent_id text,
  payment_intent_id text,
  -- The refusal that ended it.
  failure text,
  -- Until then somebody is at work on it; a crash leaves it to run out.
  busy_until timestamptz,
  network text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- One open attempt an account: a double click finds the first one.
create unique index billing_attempts_open on billing_attempts (account_id) where state in ('started', 'action_required');
create index billing_attempts_account on billing_attempts (account_id, created_at desc);

-- Cards that have had their trial, by the hash of the provider's fingerprint. Outlives the account on purpose.
create table trial_cards (
  fingerprint_hash bytea primary key,
  account_id uuid not null,
  created_at timestamptz not null
);
create index trial_cards_account on trial_cards (account_id);

-- Messages of the payment provider, each handled once. Kept of them is only whom they concern: the state itself is
-- always read from the provider.
create table notices (
  id text primary key,
  type text not null,
  customer_id text,
  subscription_id text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index notices_open on notices (received_at) where handled_at is null;
create index notices_handled on notices (handled_at);

create table events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  name text not null check (length(name) <= 50),
  metadata jsonb not null default '{}',
  created_at timestamptz not null
);
create index events_account on events (account_id, created_at desc);
create index events_created on events (created_at);

-- Who did what. Rows are added, never changed: the grants below give no update and no delete.
create table audit_log (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid,
  action text not null,
  target text,
  metadata jsonb not null default '{}',
  network text not null default '',
  created_at timestamptz not null
);
create index audit_log_account on audit_log (account_id, created_at desc);

-- First answers to calls that carry an Idempotency-Key; the body is sealed, for it may hold a session token.
create table idempotency_keys (
  scope text not null,
  key text not null,
  params_hash bytea not null,
  status integer,
  sealed_body text,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- The shape is rate-limiter-flexible's.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- ---------------------------------------------------------------------------------------------- row-level security
create function current_account() returns uuid language sql stable
  as $$ select nullif(current_setting('app.account_id', true), '')::uuid $$;

do $$
declare t text;
begin
  foreach t in array array['memberships', 'sessions', 'invites', 'subscriptions', 'billing_attempts', 'events', 'audit_log'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_account on %I to plinth_app using (account_id = current_account()) with check (account_id = current_account())', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
  end loop;
  foreach t in array array['accounts', 'users', 'masters', 'mailed_tokens', 'trial_cards', 'notices', 'idempotency_keys'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
  end loop;
end $$;
create policy own_account on accounts to plinth_app using (id = current_account()) with check (id = current_account());
-- A person is visible from inside the accounts they belong to; memberships are filtered to the current one.
create policy members on users to plinth_app
  using (id in (select m.user_id from memberships m))
  with check (id in (select m.user_id from memberships m));

grant usage on schema public to plinth_app, plinth_system;
grant select, insert, update, delete on all tables in schema public to plinth_system;
revoke update, delete on audit_log from plinth_system;
-- plinth_app gets what the stores use inside one account, column by column, and no more: a wrong statement there can't
-- take a member's password or address, end a membership, or drop what was paid for. A new use gets its own grant.
grant select on users, accounts, memberships, sessions, invites, subscriptions, billing_attempts to plinth_app;
grant update (plan, stripe_customer_id, trialed_at, billing_reads, billing_read_applied) on accounts to plinth_app;
grant insert, update (role, secret_hash, invited_by, sent_at, expires_at) on invites to plinth_app;
grant insert, update (provider_sub_id, plan, pending_plan, provider_status, status, seats, seat_price,
  cancel_at_period_end, current_period_start, current_period_end, trial_end, synced_at) on subscriptions to plinth_app;
grant insert, update (state, card_id, provider_sub_id, setup_intent_id, payment_intent_id, failure, busy_until,
  updated_at) on billing_attempts to plinth_app;
grant insert on events, audit_log to plinth_app;
grant select, insert, update, delete on rate_limits to plinth_app;

-- --------------------------------------------------------------------------------------------- the session look-up
-- One round trip for every signed-in request: session, user, membership, plan, subscription. plpgsql, because its
-- plan is kept for the connection, where a plain SQL function plans anew on each call before PostgreSQL 18.
create function authenticate(p_token_hash bytea, p_now timestamptz)
returns table (
  session_id uuid, method text, authenticated_at timestamptz, last_used_at timestamptz,
  user_id uuid, account_id uuid, first_name text, last_name text, email text, verified boolean, has_password boolean,
  locale text, dark_mode boolean, avatar text, duplicate_user boolean, onboarded boolean,
  permission text, plan text, subscription text, account_name text, accounts json
)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    select s.id, s.method, s.authenticated_at, s.last_used_at,
      u.id, s.account_id, u.first_name, u.last_name, u.email, u.verified_at is not null, u.password_hash is not null,
      u.locale, u.dark_mode, u.avatar, u.duplicate_user, u.onboarded_at is not null,
      case when x.user_id is null then m.role else 'master' end, a.plan, b.status, a.name,
      (select json_agg(json_build_object('id', a2.id, 'name', a2.name) order by m2.created_at)
         from memberships m2 join accounts a2 on a2.id = m2.account_id where m2.user_id = u.id)
    from sessions s
    join users u on u.id = s.user_id
    join memberships m on m.account_id = s.account_id and m.user_id = s.user_id
    join accounts a on a.id = s.account_id
    left join subscriptions b on b.account_id = s.account_id
    left join masters x on x.user_id = s.user_id
    where s.token_hash = p_token_hash and s.expires_at > p_now and s.last_used_at > p_now - interval '7 days';
end $$;
revoke all on function authenticate(bytea, timestamptz) from public;
grant execute on function authenticate(bytea, timestamptz) to plinth_app, plinth_system;
create function touch_session(p_token_hash bytea, p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp
  as $$ update sessions set last_used_at = p_now where token_hash = p_token_hash and last_used_at < p_now $$;
revoke all on function touch_session(bytea, timestamptz) from public;
grant execute on function touch_session(bytea, timestamptz) to plinth_app, plinth_system;
-- The answer to a call with an Idempotency-Key, written in the transaction of the work by either role: only for a
-- claim that is still the caller's and has no answer yet.
create function keep_answer(p_scope text, p_key text, p_claimed_at timestamptz, p_status integer, p_sealed text)
returns boolean language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update idempotency_keys set status = p_status, sealed_body = p_sealed
    where scope = p_scope and key = p_key and created_at = p_claimed_at and status is null;
  return found;
end $$;
revoke all on function keep_answer(text, text, timestamptz, integer, text) from public;
grant execute on function keep_answer(text, text, timestamptz, integer, text) to plinth_app, plinth_system;

-- All run as plinth_system, which sees all rows. Owning them takes the right to create for a moment.
grant create on schema public to plinth_system;
alter function authenticate(bytea, timestamptz) owner to plinth_system;
alter function touch_session(bytea, timestamptz) owner to plinth_system;
alter function keep_answer(text, text, timestamptz, integer, text) owner to plinth_system;
revoke create on schema public from plinth_system;
