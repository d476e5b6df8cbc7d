-- Stores the reply to a call with an Idempotency-Key in the transaction of the call. Returns false when the
-- claim is no longer the caller's or already has a reply.
create or replace function keep_answer(p_scope text, p_key text, p_claimed_at timestamptz, p_status integer,
  p_sealed text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update idempotency_keys set status = p_status, sealed_body = p_sealed
    where scope = p_scope and key = p_key and created_at = p_claimed_at and status is null;
  return found;
end $$;

revoke all on function keep_answer from public;
grant execute on function keep_answer to plinth_app;
alter function keep_answer owner to plinth_system;
