-- Trigger: revokes an API key whose creator was deleted. PostgreSQL may set created_by to null before the trigger on
-- memberships runs; that one then finds no key.
create or replace function revoke_orphaned_key() returns trigger
language plpgsql as $$
begin
  new.revoked_at := coalesce(new.revoked_at, now());
  new.sealed_key := null;
  return new;
end $$;
