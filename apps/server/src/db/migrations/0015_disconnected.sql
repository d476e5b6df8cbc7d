-- Whom a user no longer wants to come in as themselves: the same address alone does not connect this identity again.

create table disconnected_identities (
  user_id uuid not null references users on delete cascade,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  primary key (user_id, issuer, subject)
);

alter table disconnected_identities enable row level security;
alter table disconnected_identities force row level security;
create policy everything on disconnected_identities to plinth_system using (true) with check (true);
grant select, insert, update, delete on disconnected_identities to plinth_system;
