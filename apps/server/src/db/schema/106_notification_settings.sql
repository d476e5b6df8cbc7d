-- Optional mails of a member. Without a row the mail is sent.
create table notification_settings (
  account_id uuid not null,
  user_id uuid not null,
  name text not null check (name in ('new_signin', 'plan_updated', 'card_updated', 'invite_accepted')),
  active boolean not null,
  updated_at timestamptz not null,
  primary key (account_id, user_id, name),
  -- The choice ends with the membership.
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade
);

alter table notification_settings enable row level security, force row level security;
create policy own_account on notification_settings to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on notification_settings to plinth_system using (true) with check (true);
grant select, insert, update, delete on notification_settings to plinth_system;
grant select, insert, update (active, updated_at) on notification_settings to plinth_app;
