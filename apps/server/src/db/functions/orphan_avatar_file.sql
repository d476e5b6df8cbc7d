-- Trigger: lists a replaced or deleted picture in orphaned_files, so that a job deletes the file.
create or replace function orphan_avatar_file() returns trigger
language plpgsql as $$
begin
  if old.avatar is not null and (tg_op = 'DELETE' or new.avatar is distinct from old.avatar) then
    insert into orphaned_files (key, remove_after) values (substr(old.avatar, length('/api/avatar/') + 1), now())
      on conflict (key) do nothing;
  end if;
  return null;
end $$;
