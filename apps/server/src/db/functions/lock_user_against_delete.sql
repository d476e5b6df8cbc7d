-- Locks a user against deletion. Transactions lock users before accounts, to avoid deadlocks. Inserting a row that
-- refers to a user locks that user, so a transaction that will do that calls this before it locks an account.
create or replace function lock_user_against_delete(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where id = p_user for key share;
end $$;

revoke all on function lock_user_against_delete from public;
grant execute on function lock_user_against_delete to plinth_app;
alter function lock_user_against_delete owner to plinth_system;
