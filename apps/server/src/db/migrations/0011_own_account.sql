-- What guards a person's own account: changes of the address, and closing.

-- A change of a proven address. The user keeps the old one until the new one confirms. The link to the old address
-- undoes it for a week, confirmed or not, so the row outlives both.
create table email_changes (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  old_email text not null check (old_email = lower(old_email) and length(old_email) <= 254),
  new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
  -- Waits for its link; false once it is confirmed or given up.
  pending boolean not null default true,
  confirm_hash bytea not null unique,
  confirm_expires_at timestamptz not null,
  undo_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index email_changes_pending on email_changes (user_id) where pending;
create index email_changes_user on email_changes (user_id);
create index email_changes_expires on email_changes (expires_at);

-- Accounts that were closed, without a word of whose they were: what is still to be ended at the payment provider.
create table closings (
  account_id uuid primary key,
  closed_by uuid not null,
  customer_id text,
  closed_at timestamptz not null,
  -- Nothing is left at the provider that could cost anybody anything.
  settled_at timestamptz
);
create index closings_unsettled on closings (closed_at) where settled_at is null;
create index closings_settled on closings (settled_at);

do $$
declare t text;
begin
  foreach t in array array['email_changes', 'closings'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy everything on %I to plinth_system using (true) with check (true)', t);
    execute format('grant select, insert, update, delete on %I to plinth_system', t);
  end loop;
end $$;

-- The address that waits: all that a reader of the profile may know of the table.
create function pending_email(p_user uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select new_email from email_changes where user_id = p_user and pending
$$;
revoke all on function pending_email(uuid) from public;
grant execute on function pending_email(uuid) to plinth_app, plinth_system;
grant create on schema public to plinth_system;
alter function pending_email(uuid) owner to plinth_system;
revoke create on schema public from plinth_system;

-- Forgets a person in the logs of accounts that go on: their addresses in what was noted, and the networks they were
-- in. That they did something stays, by an id that leads to nobody. The only change the log takes, so it is the
-- owner's, and a policy lets the owner through.
create policy forgetting on audit_log to current_user using (true) with check (true);
create function forget_in_audit(p_user uuid, p_addresses text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare address text;
begin
  update audit_log set network = '' where user_id = p_user and network <> '';
  foreach address in array p_addresses loop
    update audit_log l
      set metadata = (select coalesce(jsonb_object_agg(f.key, f.value), '{}')
        from jsonb_each(l.metadata) f where f.value <> to_jsonb(address))
      where l.metadata @? ('$.* ? (@ == ' || to_jsonb(address)::text || ')')::jsonpath;
  end loop;
end $$;
revoke all on function forget_in_audit(uuid, text[]) from public;
grant execute on function forget_in_audit(uuid, text[]) to plinth_system;
create index audit_log_user on audit_log (user_id);
create index audit_log_metadata on audit_log using gin (metadata);
create index invites_email on invites (email);

-- The session look-up, with whether a new address waits for its proof.
create or replace function find_session(p_token_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare found_session json;
begin
  select json_build_object(
      'session_id', s.id, 'method', s.method, 'authenticated_at', s.authenticated_at, 'last_used_at', s.last_used_at,
      'idle_seconds', s.idle_seconds,
      'user_id', u.id, 'account_id', s.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', u.verified_at is not null, 'has_password', u.password_hash is not null,
      'email_pending', exists (select from email_changes c where c.user_id = u.id and c.pending),
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
    where s.token_hash = p_token_hash and s.expires_at > p_now
      and s.last_used_at > p_now - make_interval(secs => s.idle_seconds)
      and own.role is not null and (s.impersonator_id is null or u.support_enabled);
  return found_session;
end $$;
