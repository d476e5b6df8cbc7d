-- Identities that the user disconnected. The same address alone does not connect one of them again.
create table disconnected_identities (
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  primary key (user_id, issuer, subject)
);

alter table disconnected_identities enable row level security, force row level security;
create policy everything on disconnected_identities to plinth_system using (true) with check (true);
grant select, insert, update, delete on disconnected_identities to plinth_system;
