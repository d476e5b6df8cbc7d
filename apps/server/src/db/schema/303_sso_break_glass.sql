-- Owners who keep their other ways of signing in while single sign-on is enforced.
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
