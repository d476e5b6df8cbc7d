-- The people whom an account sees, looked up one by one: a list of fifty names no longer reads ten thousand members.
drop policy members on users;
create policy members on users to plinth_app
  using (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()))
  with check (exists (select from memberships m where m.user_id = users.id and m.account_id = current_account()));
