-- Trigger: hands a replaced or deleted picture over to the cleanup of loose files.
create or replace function lose_avatar() returns trigger
language plpgsql as $$
begin
  if old.avatar is not null and (tg_op = 'DELETE' or new.avatar is distinct from old.avatar) then
    insert into loose_files (key, remove_after) values (substr(old.avatar, length('/api/avatar/') + 1), now())
      on conflict (key) do nothing;
  end if;
  return null;
end $$;
