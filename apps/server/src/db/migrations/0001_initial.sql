-- The schema that the steps begin with. Written by apps/server/scripts/generate-initial.ts; read db/schema instead.

create table users (
  id uuid primary key,
  email text not null check (is_email(email)),
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
  created_at timestamptz not null default now(),
  support_enabled boolean not null default false,
  password_given boolean not null default false,
  dark_mode_chosen boolean not null default false,
  constraint users_avatar check (avatar ~ '^/api/avatar/[A-Za-z0-9_-]{43}\.(png|jpg)$')
);
create unique index users_email_verified on users (email) where verified_at is not null;
create index users_email on users (email, created_at desc);
create index users_unverified on users (created_at) where verified_at is null;

alter table users enable row level security, force row level security;
create policy everything on users to plinth_system using (true) with check (true);
grant select, insert, update, delete on users to plinth_system;
grant select on users to plinth_app;

create trigger delete_devices after update of verified_at, password_hash on users
  for each row
  when (old.verified_at is distinct from new.verified_at or old.password_hash is distinct from new.password_hash)
  execute function delete_devices();
create trigger orphan_avatar_file after delete or update of avatar on users for each row execute function orphan_avatar_file();
create trigger copy_user_to_memberships after update of first_name, last_name, email, verified_at, avatar on users
  for each row
  when ((old.first_name, old.last_name, old.email, old.verified_at is null, old.avatar)
    is distinct from (new.first_name, new.last_name, new.email, new.verified_at is null, new.avatar))
  execute function copy_user_to_memberships();

create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  plan text,
  stripe_customer_id text unique,
  trialed_at timestamptz,
  billing_reads integer not null default 0,
  billing_read_applied integer not null default 0,
  created_at timestamptz not null default now()
);

alter table accounts enable row level security, force row level security;
create policy everything on accounts to plinth_system using (true) with check (true);
create policy own_account on accounts to plinth_app
  using (id = current_account()) with check (id = current_account());
grant select, insert, update, delete on accounts to plinth_system;
grant select, update (plan, stripe_customer_id, trialed_at, billing_reads, billing_read_applied)
  on accounts to plinth_app;

create table memberships (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'user')),
  created_at timestamptz not null default now(),
  person_name text collate "C" not null default '',
  person_email text collate "C" not null default '',
  person_verified boolean not null default false,
  last_login_at timestamptz not null default '-infinity',
  role_key text collate "C" generated always as (role_rank(role) || person_name) stored,
  status_key text collate "C"
    generated always as ((case when person_verified then '0' else '1' end) || person_name) stored,
  person_first_name text not null default '',
  person_last_name text not null default '',
  person_avatar text,
  signed_out_at timestamptz,
  primary key (account_id, user_id)
);
create index memberships_user on memberships (user_id, created_at);
create index memberships_by_name on memberships (account_id, person_name, user_id);
create index memberships_by_email on memberships (account_id, person_email, user_id);
create index memberships_by_login on memberships (account_id, last_login_at, user_id);
create index memberships_by_role on memberships (account_id, role_key, user_id);
create index memberships_by_status on memberships (account_id, status_key, user_id);

alter table memberships enable row level security, force row level security;
create policy own_account on memberships to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on memberships to plinth_system using (true) with check (true);
grant select, insert, update, delete on memberships to plinth_system;
grant select on memberships to plinth_app;

create policy members on users to plinth_app
  using (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()))
  with check (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()));

create trigger revoke_member_keys after delete on memberships for each row execute function revoke_member_keys();
create trigger copy_user_to_new_membership before insert or update of user_id on memberships
  for each row execute function copy_user_to_new_membership();
create constraint trigger memberships_last_owner after delete or update of role, user_id, account_id on memberships
  deferrable initially deferred
  for each row when (old.role = 'owner') execute function require_owner();
create trigger record_seat_change after insert or delete on memberships for each row execute function record_seat_change();
create trigger expire_invites after delete or update of role, user_id on memberships
  for each row execute function expire_invites_of_member();

create table masters (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz not null default now()
);

alter table masters enable row level security, force row level security;
create policy everything on masters to plinth_system using (true) with check (true);
grant select, insert, update, delete on masters to plinth_system;

create trigger apply_master_lifetimes after insert on masters for each row execute function apply_master_lifetimes();
create trigger expire_invites after delete on masters for each row execute function expire_invites_of_master();

create table invites (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  email text not null check (is_email(email)),
  role text not null check (role in ('admin', 'developer', 'user')),
  secret_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  first_name text not null default '' check (length(first_name) <= 100),
  last_name text not null default '' check (length(last_name) <= 100),
  unique (account_id, email)
);
create index invites_email on invites (email);
create index invites_by_email on invites (account_id, email collate "C", id);
create index invites_account on invites (account_id, id);
create index invites_invited_by on invites (invited_by);

alter table invites enable row level security, force row level security;
create policy own_account on invites to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on invites to plinth_system using (true) with check (true);
grant select, insert, update, delete on invites to plinth_system;
grant select, insert, update (role, secret_hash, invited_by, sent_at, expires_at, first_name, last_name)
  on invites to plinth_app;

create trigger expire_orphaned_invite before update of invited_by on invites
  for each row when (new.invited_by is null) execute function expire_orphaned_invite();

create table notification_settings (
  account_id uuid not null,
  user_id uuid not null,
  name text not null check (name in ('new_signin', 'plan_updated', 'card_updated', 'invite_accepted')),
  active boolean not null,
  updated_at timestamptz not null,
  primary key (account_id, user_id, name),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);

alter table notification_settings enable row level security, force row level security;
create policy own_account on notification_settings to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on notification_settings to plinth_system using (true) with check (true);
grant select, insert, update, delete on notification_settings to plinth_system;
grant select, insert, update (active, updated_at) on notification_settings to plinth_app;

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null,
  account_id uuid not null,
  method text not null
    check (method in ('sign_up', 'password', 'verification', 'invite', 'switch', 'magic', 'reset', 'social', 'saml',
      'passkey', 'impersonation')),
  user_agent text not null default '',
  network text not null default '',
  created_at timestamptz not null,
  authenticated_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  second_factor boolean not null default false,
  impersonator_id uuid references users on delete cascade,
  sign_in_id uuid not null,
  browser_hash bytea,
  idle_seconds integer not null default 604800,
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index sessions_expires on sessions (expires_at);
create index sessions_impersonator on sessions (impersonator_id) where impersonator_id is not null;
create index sessions_sign_in on sessions (sign_in_id);
create index sessions_user_account on sessions (user_id, account_id);

alter table sessions enable row level security, force row level security;
create policy own_account on sessions to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on sessions to plinth_system using (true) with check (true);
grant select, insert, update, delete on sessions to plinth_system;
grant select on sessions to plinth_app;

create table devices (
  user_id uuid not null references users on delete cascade,
  browser_hash bytea not null,
  network text not null,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (user_id, browser_hash)
);
create index devices_last_used on devices (last_used_at);

alter table devices enable row level security, force row level security;
create policy everything on devices to plinth_system using (true) with check (true);
grant select, insert, update, delete on devices to plinth_system;

create table mailed_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('verify_email', 'magic', 'reset', 'invite')),
  user_id uuid not null references users on delete cascade,
  email text not null check (is_email(email)),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mailed_tokens_user on mailed_tokens (user_id, purpose);
create index mailed_tokens_expires on mailed_tokens (expires_at);

alter table mailed_tokens enable row level security, force row level security;
create policy everything on mailed_tokens to plinth_system using (true) with check (true);
grant select, insert, update, delete on mailed_tokens to plinth_system;

create table challenges (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  method text not null,
  account_id uuid not null references accounts on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  session_until timestamptz
);
create index challenges_user on challenges (user_id);
create index challenges_account on challenges (account_id);
create index challenges_expires on challenges (expires_at);

alter table challenges enable row level security, force row level security;
create policy everything on challenges to plinth_system using (true) with check (true);
grant select, insert, update, delete on challenges to plinth_system;

create table two_factors (
  user_id uuid primary key references users on delete cascade,
  sealed_secret text,
  enabled_at timestamptz,
  sealed_pending text,
  last_step bigint not null default 0,
  backup_hash bytea,
  failures integer not null default 0,
  failures_since timestamptz,
  pending_since timestamptz,
  since timestamptz,
  setup_failures integer not null default 0,
  check ((enabled_at is null) = (sealed_secret is null)),
  check ((sealed_pending is null) = (pending_since is null))
);

alter table two_factors enable row level security, force row level security;
create policy everything on two_factors to plinth_system using (true) with check (true);
grant select, insert, update, delete on two_factors to plinth_system;

create table email_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  old_email text not null check (is_email(old_email)),
  new_email text not null check (is_email(new_email)),
  pending boolean not null default true,
  confirm_hash bytea not null unique,
  confirm_expires_at timestamptz not null,
  undo_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  methods_added_since timestamptz not null default now() - interval '30 days',
  sign_in_started_at timestamptz
);
create unique index email_changes_pending on email_changes (user_id) where pending;
create index email_changes_user on email_changes (user_id);
create index email_changes_expires on email_changes (expires_at);

alter table email_changes enable row level security, force row level security;
create policy everything on email_changes to plinth_system using (true) with check (true);
grant select, insert, update, delete on email_changes to plinth_system;

create table passkey_handles (
  user_id uuid primary key references users on delete cascade,
  handle bytea not null unique check (length(handle) = 32)
);

alter table passkey_handles enable row level security, force row level security;
create policy everything on passkey_handles to plinth_system using (true) with check (true);
grant select, insert, update, delete on passkey_handles to plinth_system;

create table passkeys (
  id uuid primary key,
  user_id uuid not null references passkey_handles on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text not null,
  synced boolean not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

alter table passkeys enable row level security, force row level security;
create policy everything on passkeys to plinth_system using (true) with check (true);
grant select, insert, update, delete on passkeys to plinth_system;

create table passkey_challenges (
  challenge_hash bytea primary key,
  browser bytea not null,
  user_id uuid references users on delete cascade,
  purpose text not null check (purpose in ('register', 'sign_in', 'prove')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  session_id uuid references sessions on delete cascade,
  check ((purpose <> 'sign_in') = (user_id is not null)),
  constraint passkey_challenges_session_check check ((purpose = 'prove') = (session_id is not null))
);
create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null;
create index passkey_challenges_expires on passkey_challenges (expires_at);
create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;

alter table passkey_challenges enable row level security, force row level security;
create policy everything on passkey_challenges to plinth_system using (true) with check (true);
grant select, insert, update, delete on passkey_challenges to plinth_system;

create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('google', 'github', 'microsoft', 'oidc')),
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  email text check (is_email(email)),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (issuer, subject),
  unique (user_id, provider)
);

alter table identities enable row level security, force row level security;
create policy everything on identities to plinth_system using (true) with check (true);
grant select, insert, update, delete on identities to plinth_system;

create table disconnected_identities (
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  primary key (user_id, issuer, subject)
);

alter table disconnected_identities enable row level security, force row level security;
create policy everything on disconnected_identities to plinth_system using (true) with check (true);
grant select, insert, update, delete on disconnected_identities to plinth_system;

create table social_flows (
  id uuid primary key,
  state_hash bytea not null unique,
  browser bytea not null,
  provider text not null,
  issuer text not null,
  user_id uuid references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((user_id is null) = (session_id is null))
);
create index social_flows_user on social_flows (user_id) where user_id is not null;
create index social_flows_session on social_flows (session_id) where session_id is not null;
create index social_flows_expires on social_flows (expires_at);

alter table social_flows enable row level security, force row level security;
create policy everything on social_flows to plinth_system using (true) with check (true);
grant select, insert, update, delete on social_flows to plinth_system;

create table social_sign_in_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  browser bytea not null,
  sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index social_sign_in_tokens_expires on social_sign_in_tokens (expires_at);

alter table social_sign_in_tokens enable row level security, force row level security;
create policy everything on social_sign_in_tokens to plinth_system using (true) with check (true);
grant select, insert, update, delete on social_sign_in_tokens to plinth_system;

create table sign_in_links (
  token_hash bytea primary key,
  sign_in_id uuid not null unique,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_links_user on sign_in_links (user_id);
create index sign_in_links_expires on sign_in_links (expires_at);

alter table sign_in_links enable row level security, force row level security;
create policy everything on sign_in_links to plinth_system using (true) with check (true);
grant select, insert, update, delete on sign_in_links to plinth_system;

create table sign_in_warnings (
  user_id uuid primary key references users on delete cascade,
  sent_at timestamptz not null
);

alter table sign_in_warnings enable row level security, force row level security;
create policy everything on sign_in_warnings to plinth_system using (true) with check (true);
grant select, insert, update, delete on sign_in_warnings to plinth_system;

create table impersonations (
  id uuid primary key,
  token_hash bytea not null unique,
  master_id uuid not null references masters on delete cascade,
  user_id uuid not null references users on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);
create index impersonations_master on impersonations (master_id);
create index impersonations_user on impersonations (user_id);
create index impersonations_account on impersonations (account_id, user_id);
create index impersonations_expires on impersonations (expires_at);

alter table impersonations enable row level security, force row level security;
create policy everything on impersonations to plinth_system using (true) with check (true);
grant select, insert, update, delete on impersonations to plinth_system;

create table sso_connections (
  id uuid primary key,
  account_id uuid not null unique references accounts on delete cascade,
  idp_entity_id text not null,
  sso_url text not null,
  certificates jsonb not null,
  certificate_expires_at timestamptz not null,
  warned_days integer check (warned_days in (30, 7, 1)),
  metadata_url text,
  sealed_key text,
  key_certificate text,
  default_role text not null default 'user' check (default_role in ('admin', 'developer', 'user')),
  test_result jsonb,
  tested_at timestamptz,
  enabled_at timestamptz,
  enforced_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null,
  check (enabled_at is null or tested_at is not null),
  check (enforced_at is null or enabled_at is not null)
);
create index sso_connections_expires on sso_connections (certificate_expires_at) where enabled_at is not null;
create index sso_connections_by_issuer on sso_connections (idp_entity_id) where enabled_at is not null;

alter table sso_connections enable row level security, force row level security;
create policy everything on sso_connections to plinth_system using (true) with check (true);
create policy own_account on sso_connections to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_connections to plinth_system;
grant select on sso_connections to plinth_app;

create table sso_domains (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  domain text not null check (is_domain(domain)),
  proof text not null,
  proven_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, domain)
);
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;

alter table sso_domains enable row level security, force row level security;
create policy everything on sso_domains to plinth_system using (true) with check (true);
create policy own_account on sso_domains to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_domains to plinth_system;
grant select on sso_domains to plinth_app;

create table sso_break_glass (
  account_id uuid not null,
  user_id uuid not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on update cascade on delete cascade
);

alter table sso_break_glass enable row level security, force row level security;
create policy everything on sso_break_glass to plinth_system using (true) with check (true);
create policy own_account on sso_break_glass to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_break_glass to plinth_system;
grant select on sso_break_glass to plinth_app;

create table sso_identities (
  id uuid primary key,
  account_id uuid not null,
  connection_id uuid not null references sso_connections on delete cascade,
  name_id text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (connection_id, name_id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on update cascade on delete cascade
);
create index sso_identities_member on sso_identities (account_id, user_id);

alter table sso_identities enable row level security, force row level security;
create policy everything on sso_identities to plinth_system using (true) with check (true);
create policy own_account on sso_identities to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
grant select, insert, update, delete on sso_identities to plinth_system;

create table saml_requests (
  id text primary key,
  relay_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  purpose text not null check (purpose in ('sign_in', 'test')),
  browser_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_requests_expires on saml_requests (expires_at);
create index saml_requests_connection on saml_requests (connection_id);

alter table saml_requests enable row level security, force row level security;
create policy everything on saml_requests to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_requests to plinth_system;

create table saml_assertions (
  connection_id uuid not null references sso_connections on delete cascade,
  assertion_id text not null,
  keep_until timestamptz not null,
  primary key (connection_id, assertion_id)
);
create index saml_assertions_keep on saml_assertions (keep_until);

alter table saml_assertions enable row level security, force row level security;
create policy everything on saml_assertions to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_assertions to plinth_system;

create table saml_sign_in_tokens (
  id uuid primary key,
  token_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  browser_hash bytea not null,
  sealed_person text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_sign_in_tokens_expires on saml_sign_in_tokens (expires_at);
create index saml_sign_in_tokens_connection on saml_sign_in_tokens (connection_id);

alter table saml_sign_in_tokens enable row level security, force row level security;
create policy everything on saml_sign_in_tokens to plinth_system using (true) with check (true);
grant select, insert, update, delete on saml_sign_in_tokens to plinth_system;

create table subscriptions (
  account_id uuid primary key references accounts on delete cascade,
  provider_sub_id text unique,
  plan text not null,
  pending_plan text,
  provider_status text not null,
  status text not null
    check (status in ('active', 'trialing', 'requires_payment_method', 'requires_action', 'canceled')),
  seats integer not null default 1 check (seats >= 0),
  seat_price integer not null default 0,
  cancel_at_period_end boolean not null default false,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_end timestamptz,
  synced_at timestamptz not null,
  collection_paused boolean not null default false,
  collection_resumes_at timestamptz
);

alter table subscriptions enable row level security, force row level security;
create policy own_account on subscriptions to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on subscriptions to plinth_system using (true) with check (true);
grant select, insert, update, delete on subscriptions to plinth_system;
grant select, insert, update (provider_sub_id, plan, pending_plan, provider_status, status, seats, seat_price,
  cancel_at_period_end, current_period_start, current_period_end, trial_end, synced_at, collection_paused,
  collection_resumes_at) on subscriptions to plinth_app;

create table billing_attempts (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  plan text,
  seats integer not null check (seats > 0),
  trial_days integer not null,
  card_token text,
  state text not null check (state in ('started', 'action_required', 'done', 'failed')),
  card_id text,
  provider_sub_id text,
  setup_intent_id text,
  payment_intent_id text,
  failure text,
  busy_until timestamptz,
  network text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  kind text not null default 'first' check (kind in ('first', 'change', 'card')),
  from_plan text,
  proration_date timestamptz,
  old_card_id text,
  replaced_at timestamptz,
  promotion_code text check (promotion_code <> '' and length(promotion_code) <= 500),
  promotion_id text check (length(promotion_id) <= 255),
  quoted_amount integer,
  quoted_currency text check (length(quoted_currency) = 3),
  quoted_state text check (length(quoted_state) <= 64),
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

create table billing_notifications_sent (
  account_id uuid not null references accounts on delete cascade,
  kind text not null
    check (kind in ('payment_failed', 'payment_action', 'trial_ends', 'subscription_ended', 'payment_refunded',
      'refund', 'credit_note', 'dispute', 'dispute_closed', 'second_subscription', 'receipt')),
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

create table trial_cards (
  fingerprint_hash bytea primary key,
  account_id uuid not null,
  created_at timestamptz not null
);
create index trial_cards_account on trial_cards (account_id);

alter table trial_cards enable row level security, force row level security;
create policy everything on trial_cards to plinth_system using (true) with check (true);
grant select, insert, update, delete on trial_cards to plinth_system;

create table former_customers (
  customer_id text primary key,
  account_id uuid not null references accounts on delete cascade,
  removed_at timestamptz not null
);
create index former_customers_account on former_customers (account_id, removed_at desc);

alter table former_customers enable row level security, force row level security;
create policy own_account on former_customers to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on former_customers to plinth_system using (true) with check (true);
grant select, insert, delete on former_customers to plinth_system;
grant select, insert on former_customers to plinth_app;

create table seat_changes (
  account_id uuid primary key references accounts on delete cascade,
  version bigint not null default 1,
  changed_at timestamptz not null default now(),
  synced_version bigint not null default 0,
  tried_at timestamptz
);
create index seat_changes_due on seat_changes (changed_at) where synced_version < version;

alter table seat_changes enable row level security, force row level security;
create policy everything on seat_changes to plinth_system using (true) with check (true);
grant select, insert, update, delete on seat_changes to plinth_system;

create table payment_webhooks (
  id text primary key,
  type text not null,
  customer_id text,
  subscription_id text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  object_id text
);
create index payment_webhooks_open on payment_webhooks (received_at) where handled_at is null;
create index payment_webhooks_handled on payment_webhooks (handled_at);

alter table payment_webhooks enable row level security, force row level security;
create policy everything on payment_webhooks to plinth_system using (true) with check (true);
grant select, insert, update, delete on payment_webhooks to plinth_system;

create table account_closures (
  account_id uuid primary key,
  closed_by uuid not null,
  customer_id text,
  closed_at timestamptz not null,
  settled_at timestamptz,
  usage jsonb not null default '[]',
  attempts jsonb not null default '[]'
);
create index account_closures_unsettled on account_closures (closed_at) where settled_at is null;
create index account_closures_settled on account_closures (settled_at);

alter table account_closures enable row level security, force row level security;
create policy everything on account_closures to plinth_system using (true) with check (true);
grant select, insert, update, delete on account_closures to plinth_system;

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  created_by uuid references users on delete set null,
  name text not null check (length(name) between 1 and 100),
  masked text not null check (length(masked) <= 60),
  scope text not null check (scope <> ''),
  key_hash bytea not null unique,
  sealed_key text,
  search_text text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz,
  warned_days integer,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_account on api_keys (account_id, created_at, id);
create index api_keys_account_name on api_keys (account_id, search_text, id);
create index api_keys_active on api_keys (account_id) where revoked_at is null;
create index api_keys_maker on api_keys (created_by);
create index api_keys_expires on api_keys (expires_at) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at);

alter table api_keys enable row level security, force row level security;
create policy own_account on api_keys to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on api_keys to plinth_system using (true) with check (true);
grant select, insert, update, delete on api_keys to plinth_system;
grant select, insert, delete, update (name, scope, sealed_key, search_text, revoked_at)
  on api_keys to plinth_app;

create trigger revoke_orphaned_key before update of created_by on api_keys
  for each row when (new.created_by is null) execute function revoke_orphaned_key();

create table usage_events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  api_key_id uuid references api_keys on delete set null,
  identifier text not null check (length(identifier) between 1 and 100),
  quantity integer not null check (quantity > 0),
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  meter text check (length(meter) <= 100),
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

create table usage_months (
  account_id uuid not null references accounts on delete cascade,
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  total bigint not null check (total >= 0),
  primary key (account_id, month)
);
create index usage_months_month on usage_months (month);

alter table usage_months enable row level security, force row level security;
create policy own_account on usage_months to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on usage_months to plinth_system using (true) with check (true);
grant select, insert, update, delete on usage_months to plinth_system;
grant select, insert, update (total) on usage_months to plinth_app;

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
create index events_person on events (user_id, created_at) where user_id is not null;

alter table events enable row level security, force row level security;
create policy own_account on events to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on events to plinth_system using (true) with check (true);
grant select, insert, update, delete on events to plinth_system;
grant insert on events to plinth_app;

create table feedback (
  id uuid primary key,
  account_id uuid references accounts on delete set null,
  user_id uuid references users on delete set null,
  rating text not null check (rating in ('positive', 'neutral', 'negative')),
  comment text not null default '' check (length(comment) <= 2000),
  created_at timestamptz not null
);
create index feedback_created on feedback (created_at);
create index feedback_account on feedback (account_id, created_at);
create index feedback_user on feedback (user_id, created_at);

alter table feedback enable row level security, force row level security;
create policy own_account on feedback to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on feedback to plinth_system using (true) with check (true);
grant select, insert, update, delete on feedback to plinth_system;
grant insert on feedback to plinth_app;

create trigger clear_feedback_comment before update on feedback for each row execute function clear_feedback_comment();

create table audit_log (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  user_id uuid,
  action text not null,
  target text,
  metadata jsonb not null default '{}',
  network text not null default '',
  created_at timestamptz not null,
  area text not null generated always as (split_part(action, '.', 1)) stored
);
create index audit_log_user on audit_log (user_id);
create index audit_log_metadata on audit_log using gin (metadata);
create index audit_log_account on audit_log (account_id, created_at, id);
create index audit_log_area on audit_log (account_id, area, created_at, id);
create index audit_log_person on audit_log (account_id, user_id, created_at, id);

alter table audit_log enable row level security, force row level security;
create policy own_account on audit_log to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on audit_log to plinth_system using (true) with check (true);
create policy forgetting on audit_log to current_user using (true) with check (true);
grant select, insert on audit_log to plinth_system;
grant select, insert on audit_log to plinth_app;

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

alter table idempotency_keys enable row level security, force row level security;
create policy everything on idempotency_keys to plinth_system using (true) with check (true);
grant select, insert, update, delete on idempotency_keys to plinth_system;

create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

grant select, insert, update, delete on rate_limits to plinth_system;
grant select, insert, update, delete on rate_limits to plinth_app;

create table login_throttle (
  key text primary key,
  failures integer not null,
  paused_until timestamptz,
  newcomers_paused_until timestamptz,
  expires_at timestamptz not null
);
create index login_throttle_expires on login_throttle (expires_at);

alter table login_throttle enable row level security, force row level security;
create policy everything on login_throttle to plinth_system using (true) with check (true);
grant select, insert, update, delete on login_throttle to plinth_system;

create table orphaned_files (
  key text primary key,
  remove_after timestamptz not null
);
create index orphaned_files_remove on orphaned_files (remove_after);

alter table orphaned_files enable row level security, force row level security;
create policy everything on orphaned_files to plinth_system using (true) with check (true);
grant select, insert, update, delete on orphaned_files to plinth_system;
