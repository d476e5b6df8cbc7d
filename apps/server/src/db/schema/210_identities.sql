-- Accounts at social sign-in providers. The key is the issuer and its subject, because an address can change
-- hands.
create table identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('google', 'github', 'microsoft', 'oidc')),
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  -- As last sent by the provider: for display, never for comparison.
  email text check (is_email(email)),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (issuer, subject),
  -- A second identity of the same provider is a mistake, or belongs to a person who got the user's address.
  unique (user_id, provider)
);

alter table identities enable row level security, force row level security;
create policy everything on identities to plinth_system using (true) with check (true);
grant select, insert, update, delete on identities to plinth_system;
