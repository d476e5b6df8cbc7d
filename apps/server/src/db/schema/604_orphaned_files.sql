-- Files that no row refers to: uploads in progress, and replaced or removed pictures. A job deletes each file after
-- remove_after.
create table orphaned_files (
  key text primary key,
  remove_after timestamptz not null
);
create index orphaned_files_remove on orphaned_files (remove_after);

alter table orphaned_files enable row level security, force row level security;
create policy everything on orphaned_files to plinth_system using (true) with check (true);
grant select, insert, update, delete on orphaned_files to plinth_system;
