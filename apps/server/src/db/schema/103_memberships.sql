create table memberships (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'user')),
  created_at timestamptz not null default now(),
  -- Copies of the user's data, kept by triggers. Lists are sorted and searched by them without a join, so
  -- that a page is one range of an index. Names are stored without case and accents: "ines" finds "Inês".
  person_name text collate "C" not null default '',
  person_email text collate "C" not null default '',
  person_verified boolean not null default false,
  -- To the minute. Impersonation does not count.
  last_login_at timestamptz not null default '-infinity',
  -- Columns, because row-level security lets no computed expression use an index.
  role_key text collate "C" generated always as (role_rank(role) || person_name) stored,
  status_key text collate "C"
    generated always as ((case when person_verified then '0' else '1' end) || person_name) stored,
  person_first_name text not null default '',
  person_last_name text not null default '',
  person_avatar text,
  -- When an owner or admin last signed this member out. Sessions that signed in earlier can't switch to the
  -- account.
  signed_out_at timestamptz,
  primary key (account_id, user_id)
);
create index memberships_user on memberships (user_id, created_at);
create index memberships_by_name on memberships (account_id, person_name, user_id);
create index memberships_by_email on memberships (account_id, person_email, user_id);
create index memberships_by_login on memberships (account_id, last_login_at, user_id);
create index memberships_by_role on memberships (account_id, role_key, user_id);
create index memberships_by_status on memberships (account_id, status_key, user_id);

alter table memberships enable row level security, force row level security;
create policy own_account on memberships to plinth_app
  using (account_id = current_account()) with check (account_id = current_account());
create policy everything on memberships to plinth_system using (true) with check (true);
grant select, insert, update, delete on memberships to plinth_system;
grant select on memberships to plinth_app;

-- The members of the current account, each looked up by index.
create policy members on users to plinth_app
  using (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()))
  with check (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()));

create trigger revoke_member_keys after delete on memberships for each row execute function revoke_member_keys();
create trigger copy_user_to_new_membership before insert or update of user_id on memberships
  for each row execute function copy_user_to_new_membership();
-- An account always has an owner. Checked at the end of the transaction, so that owners may change in any
-- order.
create constraint trigger memberships_last_owner after delete or update of role, user_id, account_id on memberships
  deferrable initially deferred
  for each row when (old.role = 'owner') execute function require_owner();
create trigger record_seat_change after insert or delete on memberships for each row execute function record_seat_change();
create trigger expire_invites after delete or update of role, user_id on memberships
  for each row execute function expire_invites_of_member();
