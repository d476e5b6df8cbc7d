-- After a right password: takes the try back, ends the pauses that it started (p_held) and resets the
-- failures under p_cleared. Rows stay, so that the next try finds them.
create or replace function release_brakes(p_keys text[], p_held text[], p_cleared text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  lazy text := set_config('synchronous_commit', 'off', true);
begin
  perform from brakes where key = any (p_keys) order by key for update;
  update brakes set
      failures = case when key = p_cleared then 0 else greatest(failures - 1, 0) end,
      paused_until = case when key = p_cleared or key = any (p_held) then null else paused_until end,
      fresh_paused_until = case when key = p_cleared then null else fresh_paused_until end
    where key = any (p_keys);
end $$;

revoke all on function release_brakes from public;
grant execute on function release_brakes to plinth_app;
alter function release_brakes owner to plinth_system;
