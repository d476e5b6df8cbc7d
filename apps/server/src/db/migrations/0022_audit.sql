-- The log is read in the order of an index, whatever is asked of it. What an entry is about is a column of its own: row
-- security lets no condition on a function's answer reach an index.
alter table audit_log add column area text not null generated always as (split_part(action, '.', 1)) stored;
drop index audit_log_account;
create index audit_log_account on audit_log (account_id, created_at, id);
create index audit_log_area on audit_log (account_id, area, created_at, id);
create index audit_log_person on audit_log (account_id, user_id, created_at, id);
grant select on audit_log to plinth_app;

-- Who did what is in the log of the current account, by id: also those who have left it, whom row security hides from
-- it. Of those it says the name that stands beside what they did, and nothing else.
create function audit_people(p_ids uuid[])
returns table (id uuid, name text, email text, avatar text, member boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, trim(u.first_name || ' ' || u.last_name),
    case when m.user_id is not null then u.email end, case when m.user_id is not null then u.avatar end,
    m.user_id is not null
  from users u left join memberships m on m.user_id = u.id and m.account_id = current_account()
  where u.id = any (p_ids)
    and exists (select from audit_log l where l.account_id = current_account() and l.user_id = u.id)
$$;
revoke all on function audit_people(uuid[]) from public;
grant execute on function audit_people(uuid[]) to plinth_app, plinth_system;
grant create on schema public to plinth_system;
alter function audit_people(uuid[]) owner to plinth_system;
revoke create on schema public from plinth_system;

-- What a person did in the product, for the copy of their data.
create index events_person on events (user_id, created_at) where user_id is not null;
