-- Trigger: records that the number of members changed in an account that pays by seat or has an open payment attempt.
create or replace function record_seat_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare changed uuid := case when tg_op = 'DELETE' then old.account_id else new.account_id end;
begin
  -- A payment in progress counted the members when it began: the change has to follow it.
  insert into seat_changes (account_id)
    select a.id from accounts a where a.id = changed and (
      exists (select from subscriptions s where s.account_id = a.id and s.provider_sub_id is not null)
      or exists (
        select from billing_attempts b where b.account_id = a.id and b.state in ('started', 'action_required')))
    on conflict (account_id) do update set version = seat_changes.version + 1, changed_at = now();
  return null;
end $$;

alter function record_seat_change owner to plinth_system;
