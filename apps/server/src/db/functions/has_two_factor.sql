-- Whether a user has a second factor. plinth_app may not read two_factors.
create or replace function has_two_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from two_factors where user_id = p_user and enabled_at is not null)
$$;

revoke all on function has_two_factor from public;
grant execute on function has_two_factor to plinth_app;
alter function has_two_factor owner to plinth_system;
