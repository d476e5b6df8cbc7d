-- API keys of an account, and what they are for: usage and events.

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Whose permission the key acts with. It is over with the membership, see revoke_keys below.
  created_by uuid references users on delete set null,
  name text not null check (length(name) between 1 and 100),
  -- Its beginning and its end, to be told from others by.
  masked text not null check (length(masked) <= 60),
  -- Words with a blank between them.
  scope text not null check (scope <> ''),
  key_hash bytea not null unique,
  -- The whole key under APP_SECRET, to be revealed. Null when that is switched off, and once the key is revoked.
  sealed_key text,
  -- Name and beginning as they are searched and sorted: lower case, without accents.
  search_text text collate "C" not null,
  -- As exact as a cursor says it.
  created_at timestamptz(3) not null,
  expires_at timestamptz,
  -- How many days before the end it was last warned of.
  warned_days integer,
  revoked_at timestamptz,
  last_used_at timestamptz
);
-- By time and not by id alone, though ids are made in the order of time: for a list by id the planner would rather walk
-- the ids of all accounts.
create index api_keys_account on api_keys (account_id, created_at, id);
create index api_keys_account_name on api_keys (account_id, search_text, id);
create index api_keys_active on api_keys (account_id) where revoked_at is null;
create index api_keys_maker on api_keys (created_by);
create index api_keys_expires on api_keys (expires_at) where revoked_at is null;
create index api_keys_revoked on api_keys (revoked_at);

-- Usage that was reported, each once; what is metered goes on to the payment provider under the row's id.
create table usage_events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  api_key_id uuid references api_keys on delete set null,
  -- The reporter's own name for it.
  identifier text not null check (length(identifier) between 1 and 100),
  quantity integer not null check (quantity > 0),
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (account_id, identifier)
);
create index usage_events_account on usage_events (account_id, occurred_at);
create index usage_events_key on usage_events (api_key_id);
create index usage_events_created on usage_events (created_at);
create index usage_events_unsent on usage_events (created_at) where sent_at is null;

-- How much of a month's allowance is used up. One row of an account and a month, held while it is added to.
create table usage_months (
  account_id uuid not null references accounts on delete cascade,
  -- 2026-11, in UTC.
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
  total bigint not null check (total >= 0),
  primary key (account_id, month)
);
create index usage_months_month on usage_months (month);

do $$
declare t text;
begin
  foreach t in array array['api_keys', 'usage_events', 'usage_months'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy own_account on %I to plinth_app using (account_id = current_account()) with check (account_id = current_account())', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;
grant select, insert, delete, update (name, scope, search_text, sealed_key, revoked_at) on api_keys to plinth_app;
grant select, insert on usage_events to plinth_app;
grant select, insert, update (total) on usage_months to plinth_app;

-- A key does not outlive its maker's membership; its row stays, so that the others see what became of it.
create function revoke_keys() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update api_keys set revoked_at = now(), sealed_key = null
    where account_id = old.account_id and created_by = old.user_id and revoked_at is null;
  return null;
end $$;
create trigger revoke_keys after delete on memberships for each row execute function revoke_keys();
-- The same where the maker goes altogether, in whichever order the rows go.
create function revoke_orphan() returns trigger language plpgsql as $$
begin
  new.revoked_at := coalesce(new.revoked_at, now());
  new.sealed_key := null;
  return new;
end $$;
create trigger revoke_orphan before update of created_by on api_keys for each row when (new.created_by is null)
  execute function revoke_orphan();

-- The look-up of a key: what find_session() answers of a session, for the membership of its maker. Never a master:
-- what runs the installation is done by people. Nobody is freshly proven by a key.
create function find_api_key(p_key_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_key json;
begin
  select json_build_object(
      'api_key', json_build_object('id', k.id, 'scope', string_to_array(k.scope, ' ')),
      'session_id', k.id, 'method', 'api_key', 'authenticated_at', to_timestamp(0),
      'last_used_at', coalesce(k.last_used_at, to_timestamp(0)), 'idle_seconds', 0,
      'user_id', u.id, 'account_id', k.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', true, 'has_password', u.password_hash is not null, 'email_pending', false,
      'locale', u.locale, 'dark_mode', u.dark_mode, 'dark_mode_chosen', false, 'avatar', u.avatar, 'duplicate_user', u.duplicate_user,
      'onboarded', u.onboarded_at is not null, 'second_factor', false, 'impersonator_id', null,
      'permission', m.role, 'plan', a.plan, 'subscription', b.status, 'account_name', a.name,
      'accounts', json_build_array(json_build_object('id', a.id, 'name', a.name,
        'permission', m.role, 'since', m.created_at)))
    into found_key
    from api_keys k
    join users u on u.id = k.created_by
    join memberships m on m.account_id = k.account_id and m.user_id = k.created_by
    join accounts a on a.id = k.account_id
    left join subscriptions b on b.account_id = k.account_id
    where k.key_hash = p_key_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > p_now)
      and u.verified_at is not null;
  return found_key;
end $$;

-- Writes down when keys were last used, many in one go, each once a minute at most; nobody waits for it.
create function touch_api_keys(p_ids uuid[], p_now timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update api_keys set last_used_at = p_now
    where id in (select k.id from api_keys k
      where k.id = any (p_ids) and (k.last_used_at is null or k.last_used_at < p_now - interval '1 minute')
      for update skip locked)
$$;

revoke all on function find_api_key(bytea, timestamptz) from public;
revoke all on function touch_api_keys(uuid[], timestamptz) from public;
grant execute on function find_api_key(bytea, timestamptz) to plinth_app, plinth_system;
grant execute on function touch_api_keys(uuid[], timestamptz) to plinth_app, plinth_system;
grant create on schema public to plinth_system;
alter function find_api_key(bytea, timestamptz) owner to plinth_system;
alter function touch_api_keys(uuid[], timestamptz) owner to plinth_system;
alter function revoke_keys() owner to plinth_system;
revoke create on schema public from plinth_system;
