-- Since when somebody has had a second factor, and when the sign-in began that asked for a change of address. Undoing
-- the change takes a factor away that came with that sign-in; one that was there before goes on guarding the user, also
-- from whoever reads the old mailbox.

-- Stays when the factor is set up again. Null: as `enabled_at` says, from an instance of the version before.
alter table two_factors add column since timestamptz;
update two_factors set since = enabled_at where enabled_at is not null;

-- Null: asked of an instance of the version before; as `created_at` says.
alter table email_changes add column sign_in_began timestamptz;

-- Wrong codes for the secret that waits for its first one.
alter table two_factors add column setup_failures integer not null default 0;
