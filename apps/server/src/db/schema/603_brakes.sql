-- Failed sign-ins for each hashed key. Only the functions of the login throttle read and write it.
create table brakes (
  key text primary key,
  failures integer not null,
  -- Failures without a pause. Each further one doubles the pause.
  free integer not null,
  paused_until timestamptz,
  expires_at timestamptz not null,
  -- Pause for clients without failures of their own; null = use paused_until.
  fresh_paused_until timestamptz
);
create index brakes_expires on brakes (expires_at);

alter table brakes enable row level security, force row level security;
create policy everything on brakes to plinth_system using (true) with check (true);
grant select, insert, update, delete on brakes to plinth_system;
