-- Trigger: expires an invite whose sender was deleted.
create or replace function expire_orphaned_invite() returns trigger
language plpgsql as $$
begin
  new.expires_at := new.sent_at;
  return new;
end $$;
