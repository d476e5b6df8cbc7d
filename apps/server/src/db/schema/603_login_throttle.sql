-- Failed sign-ins by key. A key holds the hash of an address, network or browser.
create table login_throttle (
  key text primary key,
  failures integer not null,
  paused_until timestamptz,
  -- The same for clients without failures of their own at this address.
  newcomers_paused_until timestamptz,
  -- When the failures are forgotten.
  expires_at timestamptz not null
);
create index login_throttle_expires on login_throttle (expires_at);

alter table login_throttle enable row level security, force row level security;
create policy everything on login_throttle to plinth_system using (true) with check (true);
grant select, insert, update, delete on login_throttle to plinth_system;
