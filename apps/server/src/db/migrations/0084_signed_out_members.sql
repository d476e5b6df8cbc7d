-- The last time an owner or admin signed this member out of the account. Sessions that signed in before that time can't
-- switch into the account.
alter table memberships add column signed_out_at timestamptz;
