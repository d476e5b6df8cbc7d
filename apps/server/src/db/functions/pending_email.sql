-- The new e-mail address that is not confirmed yet. plinth_app may not read email_changes.
create or replace function pending_email(p_user uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select new_email from email_changes where user_id = p_user and pending
$$;

revoke all on function pending_email from public;
grant execute on function pending_email to plinth_app;
alter function pending_email owner to plinth_system;
