-- Files without an owner: not yet uploaded in full, or removed. A job deletes each one when its time has
-- come.
create table loose_files (
  key text primary key,
  remove_after timestamptz not null
);
create index loose_files_remove on loose_files (remove_after);

alter table loose_files enable row level security, force row level security;
create policy everything on loose_files to plinth_system using (true) with check (true);
grant select, insert, update, delete on loose_files to plinth_system;
