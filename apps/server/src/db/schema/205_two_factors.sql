-- The second factor of a user; active once enabled_at is set. A replacement waits in sealed_pending until a
-- code proves it.
create table two_factors (
  user_id uuid primary key references users on delete cascade,
  sealed_secret text,
  enabled_at timestamptz,
  sealed_pending text,
  -- The newest time step of an accepted code: no code is accepted twice.
  last_step bigint not null default 0,
  backup_hash bytea,
  -- Wrong codes within an hour, over all challenges and step-ups, backup codes included.
  failures integer not null default 0,
  failures_since timestamptz,
  pending_since timestamptz,
  -- Since when the user has had a second factor. It stays when the factor is replaced.
  since timestamptz,
  -- Wrong codes for the pending secret.
  setup_failures integer not null default 0,
  check ((enabled_at is null) = (sealed_secret is null)),
  check ((sealed_pending is null) = (pending_since is null))
);

alter table two_factors enable row level security, force row level security;
create policy everything on two_factors to plinth_system using (true) with check (true);
grant select, insert, update, delete on two_factors to plinth_system;
