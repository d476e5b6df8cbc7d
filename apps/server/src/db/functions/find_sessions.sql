-- Finds the valid sessions of these token hashes, with user, account, role, plan and subscription. Returns an
-- array in the order of the hashes, null for each one that is not valid. Its plans are kept and must use
-- indexes: a plan made while a table is small would read all of it later.
create or replace function find_sessions(p_token_hashes bytea[], p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_bitmapscan = off as $$
declare found_sessions json;
begin
  select json_agg(row_to_json(one) order by asked.n) into found_sessions
    from unnest(p_token_hashes) with ordinality as asked (hash, n)
    left join lateral (
      select s.id as session_id, s.method, s.authenticated_at, s.last_used_at, s.idle_seconds,
        u.id as user_id, s.account_id, u.first_name, u.last_name, u.email, u.verified_at is not null as verified,
        u.password_hash is not null as has_password,
        exists (select from email_changes c where c.user_id = u.id and c.pending) as email_pending,
        u.locale, u.dark_mode, u.dark_mode_chosen or u.dark_mode as dark_mode_chosen, u.avatar, u.duplicate_user,
        u.onboarded_at is not null as onboarded, s.second_factor, s.impersonator_id,
        case when x.user_id is null or s.impersonator_id is not null or s.method = 'saml'
          then own.role else 'master' end as permission,
        own.plan, b.status as subscription, own.name as account_name, own.accounts
      from sessions s
      join users u on u.id = s.user_id
      cross join lateral (
        select max(m.role) filter (where m.account_id = s.account_id) as role,
          max(a.plan) filter (where m.account_id = s.account_id) as plan,
          max(a.name) filter (where m.account_id = s.account_id) as name,
          json_agg(json_build_object('id', a.id, 'name', a.name, 'permission', m.role, 'since', m.created_at)
            order by m.created_at) as accounts
        from memberships m join accounts a on a.id = m.account_id where m.user_id = s.user_id
      ) own
      left join subscriptions b on b.account_id = s.account_id
      left join masters x on x.user_id = s.user_id
      where s.token_hash = asked.hash and s.expires_at > p_now
        and s.last_used_at > p_now - make_interval(secs => s.idle_seconds)
        and own.role is not null
        and (s.impersonator_id is null
          or (u.support_enabled and exists (select from masters i where i.user_id = s.impersonator_id)))
      -- Keeps the subquery apart, so that each token is looked up by the indexes.
      offset 0
    ) one on true;
  return found_sessions;
end $$;

revoke all on function find_sessions from public;
grant execute on function find_sessions to plinth_app;
alter function find_sessions owner to plinth_system;
