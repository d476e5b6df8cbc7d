-- Whether a text is an address as normalizeEmail() of the contract writes it. lower() would depend on the
-- database's locale.
create or replace function is_email(p_text text) returns boolean
language sql immutable strict parallel safe as $$
  select length(p_text) <= 254 and p_text collate "C" ~ '^[!-?\[-~]+@[a-z0-9-]+([.][a-z0-9-]+)+$'
$$;
