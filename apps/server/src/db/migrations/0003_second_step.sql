-- What every way in shares: how a session came about, the second factor that may be due first, and support acting as
-- a user.

alter table users add column support_enabled boolean not null default false;

alter table sessions drop constraint sessions_method_check;
alter table sessions
  add constraint sessions_method_check check (method in ('sign_up', 'password', 'verification', 'invite', 'switch',
    'magic', 'reset', 'social', 'saml', 'passkey', 'impersonation')),
  -- Whether a second factor was shown for it, or something that counts as both.
  add column second_factor boolean not null default false,
  -- Support acting as the user.
  add column impersonator_id uuid references users on delete cascade;
create index sessions_impersonator on sessions (impersonator_id) where impersonator_id is not null;

-- One row for each user who has begun to set the second factor up; in force once `enabled_at` is set. The pending
-- secret takes the place of the first only when it is proven (T-18).
create table two_factors (
  user_id uuid primary key references users on delete cascade,
  sealed_secret text,
  enabled_at timestamptz,
  sealed_pending text,
  -- The newest time step a code was accepted for: none is accepted twice (T-16).
  last_step bigint not null default 0,
  backup_hash bytea,
  check ((enabled_at is null) = (sealed_secret is null))
);

-- A first factor was right and the second one is due. Its token opens nothing but the second step (T-14).
create table challenges (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  -- How the session will have come about, and which account it will open.
  method text not null,
  account_id uuid not null references accounts on delete cascade,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index challenges_user on challenges (user_id);
create index challenges_account on challenges (account_id);
create index challenges_expires on challenges (expires_at);

do $$
declare t text;
begin
  foreach t in array array['two_factors', 'challenges'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;

-- Which account a new session of a user opens (the wanted one if they are in it, else the default one, else the
-- oldest), and what stands before it.
create function find_opening(p_user uuid, p_wanted uuid) returns json
language plpgsql stable as $$
declare opening json;
begin
  select json_build_object('account_id', m.account_id, 'two_factor', f.enabled_at is not null)
    into opening
    from memberships m
    join users u on u.id = m.user_id
    left join two_factors f on f.user_id = m.user_id
    where m.user_id = p_user
    order by (m.account_id = p_wanted) desc nulls last, (m.account_id = u.default_account_id) desc nulls last, m.created_at
    limit 1;
  return opening;
end $$;

-- The session look-up, with what is new: the second factor, and support, whose sessions end with the consent (T-41).
create or replace function find_session(p_token_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_session json;
begin
  select json_build_object(
      'session_id', s.id, 'method', s.method, 'authenticated_at', s.authenticated_at, 'last_used_at', s.last_used_at,
      'user_id', u.id, 'account_id', s.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', u.verified_at is not null, 'has_password', u.password_hash is not null,
      'locale', u.locale, 'dark_mode', u.dark_mode, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
      'onboarded', u.onboarded_at is not null, 'second_factor', s.second_factor, 'impersonator_id', s.impersonator_id,
      'permission', case when x.user_id is null or s.impersonator_id is not null then own.role else 'master' end,
      'plan', own.plan, 'subscription', b.status, 'account_name', own.name, 'accounts', own.accounts)
    into found_session
    from sessions s
    join users u on u.id = s.user_id
    cross join lateral (
      select max(m.role) filter (where m.account_id = s.account_id) as role,
        max(a.plan) filter (where m.account_id = s.account_id) as plan,
        max(a.name) filter (where m.account_id = s.account_id) as name,
        json_agg(json_build_object('id', a.id, 'name', a.name) order by m.created_at) as accounts
      from memberships m join accounts a on a.id = m.account_id where m.user_id = s.user_id
    ) own
    left join subscriptions b on b.account_id = s.account_id
    left join masters x on x.user_id = s.user_id
    where s.token_hash = p_token_hash and s.expires_at > p_now and s.last_used_at > p_now - interval '7 days'
      and own.role is not null and (s.impersonator_id is null or u.support_enabled);
  return found_session;
end $$;

-- Writes a session and answers what the look-up will find: one round trip.
create function open_session(p_id uuid, p_token_hash bytea, p_user uuid, p_account uuid, p_method text,
  p_second_factor boolean, p_impersonator uuid, p_agent text, p_network text, p_now timestamptz,
  p_authenticated_at timestamptz, p_expires_at timestamptz) returns json
language plpgsql as $$
begin
  insert into sessions (id, token_hash, user_id, account_id, method, second_factor, impersonator_id, user_agent,
      network, created_at, last_used_at, authenticated_at, expires_at)
    values (p_id, p_token_hash, p_user, p_account, p_method, p_second_factor, p_impersonator, p_agent,
      p_network, p_now, p_now, p_authenticated_at, p_expires_at);
  return find_session(p_token_hash, p_now);
end $$;

-- Whom an address and a password may sign in: the proven user first, then the newest unproven rows, which may be
-- several until one of them proves the address. Asked before every sign-in, outside of a transaction.
create function find_candidates(p_email text, p_most integer) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare candidates json;
begin
  select json_agg(c) into candidates from (
    select u.id, u.password_hash, u.verified_at is not null as verified from users u where u.email = p_email
    order by u.verified_at is null, u.created_at desc limit p_most) c;
  return candidates;
end $$;

revoke all on function find_opening(uuid, uuid) from public;
revoke all on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, timestamptz, timestamptz,
  timestamptz) from public;
revoke all on function find_candidates(text, integer) from public;
grant execute on function find_opening(uuid, uuid) to plinth_system;
grant execute on function open_session(uuid, bytea, uuid, uuid, text, boolean, uuid, text, text, timestamptz,
  timestamptz, timestamptz) to plinth_system;
grant execute on function find_candidates(text, integer) to plinth_app, plinth_system;

grant create on schema public to plinth_system;
alter function find_candidates(text, integer) owner to plinth_system;
revoke create on schema public from plinth_system;
