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
  -- When the user last proved their identity; step-up checks it.
  authenticated_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  -- A second factor was shown, or a factor that counts as both.
  second_factor boolean not null default false,
  -- The support user (master) who is signed in as this user.
  impersonator_id uuid references users on delete cascade,
  -- The id of the session that the sign-in created. Sessions that replace it (switch, step-up) keep it, so
  -- that a mailed link ends them too.
  sign_in_id uuid not null,
  browser_hash bytea,
  idle_seconds integer not null default 604800,
  -- A session ends with the membership that it acts with.
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
