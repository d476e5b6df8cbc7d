-- Trigger: empties the comment of feedback when its user is deleted.
create or replace function clear_feedback_comment() returns trigger
language plpgsql as $$
begin
  if new.user_id is null and old.user_id is not null then
    new.comment := '';
  end if;
  return new;
end $$;
