-- Whether a text is a domain as normalizeDomain() of the contract writes it. lower() would depend on the
-- database's locale.
create or replace function is_domain(p_text text) returns boolean
language sql immutable strict parallel safe as $$
  select length(p_text) <= 253 and p_text collate "C" ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$'
$$;
