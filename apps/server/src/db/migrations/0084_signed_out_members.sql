-- When a member was last signed out of the account by somebody who may. A session that signed in before can't switch
-- into the account.
alter table memberships add column signed_out_at timestamptz;
