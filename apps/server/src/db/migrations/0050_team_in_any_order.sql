-- A page of the team from a place on is a range of an index, whatever it is sorted by. What stands in a column may be
-- compared before row-level security has looked at the row; what is put together in the statement may not, and so the
-- pages by role and by status read all rows before theirs.
alter table memberships
  add role_key text collate "C" generated always as (role_rank(role) || person_name) stored,
  add status_key text collate "C" generated always as ((case when person_verified then '0' else '1' end) || person_name) stored;
drop index memberships_by_role;
drop index memberships_by_status;
create index memberships_by_role on memberships (account_id, role_key, user_id);
create index memberships_by_status on memberships (account_id, status_key, user_id);

-- Sorted by what an invite does not have (a last sign-in), the invites of an account are in the order of their ids:
-- without this index that was looked for in everybody's.
create index invites_account on invites (account_id, id);
