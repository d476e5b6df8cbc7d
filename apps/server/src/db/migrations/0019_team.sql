-- The team: who is in an account, in any order and a page at a time; an owner always; seats that have changed.

-- The password was chosen by somebody else, who knows it: it opens nothing but the way to another one.
alter table users add column password_given boolean not null default false;

-- What an account's list of people is searched and sorted by stands on the membership, so that one account's page is
-- one index's range, however many people there are. Names are kept without accents and case: "ines" finds "Inês".
create function folded(p_text text) returns text language sql immutable parallel safe
  as $$ select lower(regexp_replace(normalize(p_text, NFD), '[\u0300-\u036f]', '', 'g')) $$;
create function role_rank(p_role text) returns text language sql immutable parallel safe
  as $$ select case p_role when 'owner' then '0' when 'admin' then '1' when 'developer' then '2' else '3' end $$;

alter table memberships
  add column person_name text collate "C" not null default '',
  add column person_email text collate "C" not null default '',
  add column person_verified boolean not null default false,
  -- When this account was last signed in to; support's visits are none of the user's.
  add column last_login_at timestamptz not null default '-infinity';

set local role plinth_system;
update memberships m set person_name = folded(trim(u.first_name || ' ' || u.last_name)), person_email = u.email,
    person_verified = u.verified_at is not null,
    last_login_at = coalesce((select max(s.created_at) from sessions s
      where s.account_id = m.account_id and s.user_id = m.user_id and s.impersonator_id is null), '-infinity')
  from users u where u.id = m.user_id;
reset role;

create function describe_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select folded(trim(u.first_name || ' ' || u.last_name)), u.email, u.verified_at is not null
    into new.person_name, new.person_email, new.person_verified from users u where u.id = new.user_id;
  return new;
end $$;
create trigger describe_member before insert or update of user_id on memberships for each row
  execute function describe_member();

create function describe_memberships() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update memberships set person_name = folded(trim(new.first_name || ' ' || new.last_name)), person_email = new.email,
    person_verified = new.verified_at is not null where user_id = new.id;
  return null;
end $$;
create trigger describe_memberships after update of first_name, last_name, email, verified_at on users for each row
  when ((old.first_name, old.last_name, old.email, old.verified_at is null)
    is distinct from (new.first_name, new.last_name, new.email, new.verified_at is null))
  execute function describe_memberships();

-- To the minute: each change of it is one of six indexes, and a script may sign in many times a second.
create function note_login() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update memberships set last_login_at = new.created_at
    where account_id = new.account_id and user_id = new.user_id
      and last_login_at < new.created_at - interval '1 minute';
  return null;
end $$;
create trigger note_login after insert on sessions for each row when (new.impersonator_id is null)
  execute function note_login();

create index memberships_by_name on memberships (account_id, person_name, user_id);
create index memberships_by_email on memberships (account_id, person_email, user_id);
create index memberships_by_role on memberships (account_id, (role_rank(role) || person_name), user_id);
create index memberships_by_status on memberships
  (account_id, ((case when person_verified then '0' else '1' end) || person_name), user_id);
create index memberships_by_login on memberships (account_id, last_login_at, user_id);

-- Who invites somebody may know their name; the form of the link begins with it.
alter table invites
  add column first_name text not null default '' check (length(first_name) <= 100),
  add column last_name text not null default '' check (length(last_name) <= 100);
grant update (first_name, last_name) on invites to plinth_app;
create index invites_by_email on invites (account_id, (email collate "C"), id);

-- The second wall behind the services' own: an account that goes on has an owner (T-33). At the end of a transaction,
-- so that an owner can go and another come in any order; one at a time for each account, so that two who go at the
-- same moment don't count on each other.
create function keep_an_owner() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts where id = old.account_id for no key update;
  if found and not exists (select from memberships where account_id = old.account_id and role = 'owner') then
    raise exception 'account % would have no owner', old.account_id
      using errcode = 'check_violation', constraint = 'memberships_last_owner';
  end if;
  return null;
end $$;
create constraint trigger memberships_last_owner after delete or update of role, user_id, account_id on memberships
  deferrable initially deferred for each row when (old.role = 'owner') execute function keep_an_owner();

-- Accounts whose number of people has changed while they pay for a subscription: what is still to be carried to the
-- payment provider, in the transaction of the change. The version makes the call's idempotency key; how many there are
-- is counted when it is carried.
create table seat_changes (
  account_id uuid primary key references accounts on delete cascade,
  version bigint not null default 1,
  changed_at timestamptz not null default now()
);
create index seat_changes_changed on seat_changes (changed_at);
alter table seat_changes enable row level security;
alter table seat_changes force row level security;
create policy everything on seat_changes to plinth_system using (true) with check (true);
grant select, insert, update, delete on seat_changes to plinth_system;

create function note_seats() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare changed uuid := case when tg_op = 'DELETE' then old.account_id else new.account_id end;
begin
  -- A payment under way counts the people at its beginning.
  insert into seat_changes (account_id)
    select a.id from accounts a where a.id = changed and (
      exists (select from subscriptions s where s.account_id = a.id and s.provider_sub_id is not null)
      or exists (select from billing_attempts b where b.account_id = a.id and b.state in ('started', 'action_required')))
    on conflict (account_id) do update set version = seat_changes.version + 1, changed_at = now();
  return null;
end $$;
create trigger note_seats after insert or delete on memberships for each row execute function note_seats();

grant create on schema public to plinth_system;
alter function describe_member() owner to plinth_system;
alter function describe_memberships() owner to plinth_system;
alter function note_login() owner to plinth_system;
alter function keep_an_owner() owner to plinth_system;
alter function note_seats() owner to plinth_system;
revoke create on schema public from plinth_system;
