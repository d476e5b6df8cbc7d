-- Trigger: revokes an API key whose creator was deleted, in whichever order the rows go.
create or replace function revoke_orphan() returns trigger
language plpgsql as $$
begin
  new.revoked_at := coalesce(new.revoked_at, now());
  new.sealed_key := null;
  return new;
end $$;
