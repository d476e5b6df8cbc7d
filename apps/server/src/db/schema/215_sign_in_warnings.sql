-- When a user was last warned about failed sign-ins.
create table sign_in_warnings (
  user_id uuid primary key references users on delete cascade,
  sent_at timestamptz not null
);

alter table sign_in_warnings enable row level security, force row level security;
create policy everything on sign_in_warnings to plinth_system using (true) with check (true);
grant select, insert, update, delete on sign_in_warnings to plinth_system;
