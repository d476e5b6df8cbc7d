-- Trigger: gives the sessions of a new master the lifetimes of a master (identity/session-lifetimes.ts).
create or replace function apply_master_lifetimes() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sessions set idle_seconds = least(idle_seconds, 900),
      expires_at = least(expires_at, created_at + interval '8 hours')
    where user_id = new.user_id;
  return null;
end $$;

alter function apply_master_lifetimes owner to plinth_system;
