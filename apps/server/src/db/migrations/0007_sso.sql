-- Single sign-on: one connection an account, the domains it may speak for, who came through it, and what is under way.

create table sso_connections (
  id uuid primary key,
  account_id uuid not null unique references accounts on delete cascade,
  idp_entity_id text not null,
  sso_url text not null,
  -- PEM texts: what alone is believed. Changed by an owner only, never taken from a message (security.md, V6.7.1).
  certificates jsonb not null,
  certificate_expires_at timestamptz not null,
  -- The last reminder that went out: 30, 7 or 1 days before (V6.4.5).
  warned_days integer check (warned_days in (30, 7, 1)),
  metadata_url text,
  -- Where the provider wants signed requests: the key that signs them, and the certificate it is told.
  sealed_key text,
  key_certificate text,
  default_role text not null default 'user' check (default_role in ('admin', 'developer', 'user')),
  -- What the last test said; for the owner.
  test_result jsonb,
  tested_at timestamptz,
  enabled_at timestamptz,
  enforced_at timestamptz,
  created_by uuid references users on delete set null,
  created_at timestamptz not null,
  -- Enforced is more than enabled, and enabled is more than tested.
  check (enabled_at is null or tested_at is not null),
  check (enforced_at is null or enabled_at is not null)
);
create index sso_connections_expires on sso_connections (certificate_expires_at) where enabled_at is not null;

create table sso_domains (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  domain text not null check (domain = lower(domain) and length(domain) <= 253),
  -- What the TXT record has to say. Anybody may read it there.
  proof text not null,
  proven_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, domain)
);
-- A domain speaks for one account.
create unique index sso_domains_proven on sso_domains (domain) where proven_at is not null;

-- Owners who keep their other ways in while single sign-on is enforced.
create table sso_break_glass (
  account_id uuid not null,
  user_id uuid not null,
  primary key (account_id, user_id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade on update cascade
);

-- Identity is (connection, NameID). It ends with the membership that it opens.
create table sso_identities (
  id uuid primary key,
  account_id uuid not null,
  connection_id uuid not null references sso_connections on delete cascade,
  name_id text not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  unique (connection_id, name_id),
  foreign key (account_id, user_id) references memberships (account_id, user_id) on delete cascade on update cascade
);
create index sso_identities_member on sso_identities (account_id, user_id);

-- A sign-in, or an owner's test, that waits for the provider's answer. Consumed by one delete.
create table saml_requests (
  -- As the provider gets it and answers to it.
  id text primary key,
  -- Of the RelayState, by which the answer finds its request.
  relay_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  purpose text not null check (purpose in ('sign_in', 'test')),
  browser_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_requests_expires on saml_requests (expires_at);
create index saml_requests_connection on saml_requests (connection_id);

-- Assertions that were used; kept until their age alone refuses them.
create table saml_assertions (
  connection_id uuid not null references sso_connections on delete cascade,
  assertion_id text not null,
  keep_until timestamptz not null,
  primary key (connection_id, assertion_id)
);
create index saml_assertions_keep on saml_assertions (keep_until);

-- From the provider's answer, which comes without the browser's cookie, to the browser that asked. Two minutes, once.
create table saml_handovers (
  id uuid primary key,
  token_hash bytea not null unique,
  connection_id uuid not null references sso_connections on delete cascade,
  browser_hash bytea not null,
  -- Who the provider says it is: sealed.
  sealed_person text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index saml_handovers_expires on saml_handovers (expires_at);
create index saml_handovers_connection on saml_handovers (connection_id);

-- A provider may say when our session has to end (security.md, V7.1.3); the second step must not forget it.
alter table challenges add column session_until timestamptz;

do $$
declare t text;
begin
  foreach t in array array['sso_connections', 'sso_domains', 'sso_break_glass', 'sso_identities', 'saml_requests',
      'saml_assertions', 'saml_handovers'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
  foreach t in array array['sso_connections', 'sso_domains', 'sso_break_glass', 'sso_identities'] loop
    execute format('create policy own_account on %I to plinth_app using (account_id = current_account()) with check (account_id = current_account())', t);
  end loop;
end $$;
-- From inside an account it can be read. Every change also ends sessions or looks across accounts: the system's.
grant select on sso_connections, sso_domains, sso_break_glass to plinth_app;

-- Whether single sign-on stands before an account for somebody who comes another way. An owner chosen for it gets in;
-- where nobody chosen is an owner any more, every owner does: nobody is locked out of their own account.
-- The connection's row is held: who switches it on waits for the sign-ins under way, and then finds their sessions to end.
create function sso_stands_before(p_account uuid, p_user uuid, p_role text, p_method text) returns boolean
language plpgsql as $$
declare enforced boolean;
begin
  if p_method in ('saml', 'impersonation') then
    return false;
  end if;
  select c.enforced_at is not null into enforced from sso_connections c where c.account_id = p_account for share;
  if not coalesce(enforced, false) then
    return false;
  end if;
  if p_role <> 'owner' then
    return true;
  end if;
  return exists (
      select from sso_break_glass g join memberships o on o.account_id = g.account_id and o.user_id = g.user_id
      where g.account_id = p_account and o.role = 'owner')
    and not exists (select from sso_break_glass g where g.account_id = p_account and g.user_id = p_user);
end $$;

-- Which account a new session of a user opens, and what stands before it. One they may not open in this way comes
-- last, so that it is answered only when there is no other. Who comes through a connection, or asked for one account
-- by name, gets that one or none.
create function find_opening(p_user uuid, p_wanted uuid, p_method text) returns json
language plpgsql as $$
declare opening json;
begin
  select json_build_object('account_id', m.account_id, 'two_factor', f.enabled_at is not null, 'sso_required', s.blocked)
    into opening
    from memberships m
    join users u on u.id = m.user_id
    cross join lateral (select sso_stands_before(m.account_id, m.user_id, m.role, p_method) as blocked) s
    left join two_factors f on f.user_id = m.user_id
    where m.user_id = p_user and (p_method not in ('saml', 'switch') or m.account_id = p_wanted)
    order by s.blocked, (m.account_id = p_wanted) desc nulls last,
      (m.account_id = u.default_account_id) desc nulls last, m.created_at
    limit 1;
  return opening;
end $$;

-- For instances of the version before, while they are replaced.
create or replace function find_opening(p_user uuid, p_wanted uuid) returns json
language plpgsql as $$
begin
  return find_opening(p_user, p_wanted, 'password');
end $$;

revoke all on function sso_stands_before(uuid, uuid, text, text) from public;
revoke all on function find_opening(uuid, uuid, text) from public;
grant execute on function sso_stands_before(uuid, uuid, text, text) to plinth_system;
grant execute on function find_opening(uuid, uuid, text) to plinth_system;
