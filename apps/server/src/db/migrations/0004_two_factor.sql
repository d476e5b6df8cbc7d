-- The second factor's brakes: failures are counted per user over every challenge and step-up, the backup code's too
-- (T-15), and a secret that nobody proves is soon forgotten.

alter table two_factors
  add column failures integer not null default 0,
  -- When the hour began in which they are counted.
  add column failures_since timestamptz,
  add column pending_since timestamptz,
  add check ((sealed_pending is null) = (pending_since is null));

-- Whether a user has the second factor on: all that a reader of the profile may know of the table.
create function has_two_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from two_factors where user_id = p_user and enabled_at is not null)
$$;
revoke all on function has_two_factor(uuid) from public;
grant execute on function has_two_factor(uuid) to plinth_app, plinth_system;
grant create on schema public to plinth_system;
alter function has_two_factor(uuid) owner to plinth_system;
revoke create on schema public from plinth_system;
