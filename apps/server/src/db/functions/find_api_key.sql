-- Finds a valid API key by its hash. Returns the same object as find_sessions(), for the membership of the
-- key's creator, or null. A key never acts as a master, and never counts as recently authenticated.
create or replace function find_api_key(p_key_hash bytea, p_now timestamptz) returns json
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_bitmapscan = off as $$
declare found_key json;
begin
  select json_build_object(
      'api_key', json_build_object('id', k.id, 'scope', string_to_array(k.scope, ' ')),
      'session_id', k.id, 'method', 'api_key', 'authenticated_at', to_timestamp(0),
      'last_used_at', coalesce(k.last_used_at, to_timestamp(0)), 'idle_seconds', 0,
      'user_id', u.id, 'account_id', k.account_id, 'first_name', u.first_name, 'last_name', u.last_name,
      'email', u.email, 'verified', true, 'has_password', u.password_hash is not null, 'email_pending', false,
      'locale', u.locale, 'dark_mode', u.dark_mode, 'dark_mode_chosen', false, 'avatar', u.avatar,
      'duplicate_user', u.duplicate_user,
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

revoke all on function find_api_key from public;
grant execute on function find_api_key to plinth_app;
alter function find_api_key owner to plinth_system;
