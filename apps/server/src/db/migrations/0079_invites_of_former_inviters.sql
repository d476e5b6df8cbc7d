-- An invite is worth what its sender may give. It expires in the transaction in which the sender loses the right to send
-- it, so that expires_at alone says whether it is listed as open, holds a seat and can be accepted.
-- The roles are those of mayInvite() in features/team/rules.ts; a master counts as an admin, as in roleNow().
create function expire_invites_of(p_user uuid, p_account uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  with expired as (
    update invites i set expires_at = i.sent_at
      where i.invited_by = p_user and (p_account is null or i.account_id = p_account) and i.expires_at > i.sent_at
        and not exists (
          select from memberships m where m.account_id = i.account_id and m.user_id = p_user
            and (m.role = 'owner' or i.role in ('admin', 'user')
              and (m.role = 'admin' or exists (select from masters x where x.user_id = p_user))))
      returning i.id, i.account_id, i.email, i.role)
  -- The account may be gone by now: its members are removed with it.
  insert into audit_log (id, account_id, action, target, metadata, created_at)
    select gen_random_uuid(), e.account_id, 'invite.expired', e.id,
      jsonb_build_object('email', e.email, 'role', e.role), now()
    from expired e join accounts a on a.id = e.account_id
$$;
revoke all on function expire_invites_of(uuid, uuid) from public;

create function expire_invites_of_member() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform expire_invites_of(old.user_id, old.account_id);
  return null;
end $$;
create trigger expire_invites after delete or update of role, user_id on memberships for each row
  execute function expire_invites_of_member();

create function expire_invites_of_master() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform expire_invites_of(old.user_id, null);
  return null;
end $$;
create trigger expire_invites after delete on masters for each row execute function expire_invites_of_master();

-- A deleted user's memberships and invites change in no fixed order.
create function expire_orphaned_invite() returns trigger language plpgsql as $$
begin
  new.expires_at := new.sent_at;
  return new;
end $$;
create trigger expire_orphaned_invite before update of invited_by on invites for each row
  when (new.invited_by is null) execute function expire_orphaned_invite();

create index invites_invited_by on invites (invited_by);

grant create on schema public to plinth_system;
alter function expire_invites_of(uuid, uuid) owner to plinth_system;
alter function expire_invites_of_member() owner to plinth_system;
alter function expire_invites_of_master() owner to plinth_system;
revoke create on schema public from plinth_system;

-- Invites whose senders lost the right before this release.
set local role plinth_system;
update invites i set expires_at = i.sent_at
  where i.expires_at > i.sent_at and not exists (
    select from memberships m where m.account_id = i.account_id and m.user_id = i.invited_by
      and (m.role = 'owner' or i.role in ('admin', 'user')
        and (m.role = 'admin' or exists (select from masters x where x.user_id = m.user_id))));
reset role;
