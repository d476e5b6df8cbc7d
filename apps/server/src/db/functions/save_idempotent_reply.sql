-- Stores the reply to a call with an Idempotency-Key in the transaction of the call. Returns false when
-- another call has claimed the key, or a reply is already stored.
create or replace function save_idempotent_reply(p_scope text, p_key text, p_claimed_at timestamptz, p_status integer,
  p_sealed text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update idempotency_keys set status = p_status, sealed_body = p_sealed
    where scope = p_scope and key = p_key and created_at = p_claimed_at and status is null;
  return found;
end $$;

revoke all on function save_idempotent_reply from public;
grant execute on function save_idempotent_reply to plinth_app;
alter function save_idempotent_reply owner to plinth_system;
