-- Passkey ceremonies in progress. A row is deleted by its only use.
create table passkey_challenges (
  challenge_hash bytea primary key,
  browser bytea not null,
  -- Null for a sign-in, which names no user.
  user_id uuid references users on delete cascade,
  purpose text not null check (purpose in ('register', 'sign_in', 'prove')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The session that a step-up is bound to.
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
