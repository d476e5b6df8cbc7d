-- The account of the transaction, or null. Policies compare account_id with it.
create or replace function current_account() returns uuid
language sql stable as $$
  select nullif(current_setting('app.account_id', true), '')::uuid
$$;
