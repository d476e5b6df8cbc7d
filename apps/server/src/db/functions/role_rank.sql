-- Position of a role in lists.
create or replace function role_rank(p_role text) returns text
language sql immutable parallel safe as $$
  select case p_role when 'owner' then '0' when 'admin' then '1' when 'developer' then '2' else '3' end
$$;
