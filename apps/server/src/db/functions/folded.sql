-- Lower case without accents, for search and sorting.
create or replace function folded(p_text text) returns text
language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(p_text, NFD), '[\u0300-\u036f]', '', 'g'))
$$;
