-- A passkey shown once more, as the proof that a change of what guards the account takes. What it signs is bound to the
-- session that asked, and goes with it.
alter table passkey_challenges
  add column session_id uuid references sessions on delete cascade,
  drop constraint passkey_challenges_purpose_check,
  drop constraint passkey_challenges_check,
  add constraint passkey_challenges_purpose_check check (purpose in ('register', 'sign_in', 'prove')),
  add constraint passkey_challenges_check check ((purpose <> 'sign_in') = (user_id is not null)),
  add constraint passkey_challenges_session_check check ((purpose = 'prove') = (session_id is not null));
create index passkey_challenges_session on passkey_challenges (session_id) where session_id is not null;
