-- Locks a user against deletion. Transactions lock users before accounts; a row that names a user locks the
-- user's row, so a caller that holds an account calls this first.
create or replace function keep_user(p_user uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users where id = p_user for key share;
end $$;

revoke all on function keep_user from public;
grant execute on function keep_user to plinth_app;
alter function keep_user owner to plinth_system;
