-- Changes of a verified address. The old address stays in use until the new one confirms. A link sent to the
-- old address undoes the change for a week, confirmed or not.
create table email_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  old_email text not null check (is_email(old_email)),
  new_email text not null check (is_email(new_email)),
  -- False once confirmed or given up.
  pending boolean not null default true,
  confirm_hash bytea not null unique,
  confirm_expires_at timestamptz not null,
  undo_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Undoing removes sign-in methods added since then: an attacker who changed the address may have added them.
  methods_added_since timestamptz not null default now() - interval '30 days',
  -- Start of the sign-in that requested the change. Undoing removes a second factor that is newer.
  sign_in_started_at timestamptz
);
create unique index email_changes_pending on email_changes (user_id) where pending;
create index email_changes_user on email_changes (user_id);
create index email_changes_expires on email_changes (expires_at);

alter table email_changes enable row level security, force row level security;
create policy everything on email_changes to plinth_system using (true) with check (true);
grant select, insert, update, delete on email_changes to plinth_system;
