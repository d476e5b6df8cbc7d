-- Secrets sent by mail. Only the hash is stored; the purpose keeps one kind from being used as another.
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
