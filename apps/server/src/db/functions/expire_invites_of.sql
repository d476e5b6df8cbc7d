-- Expires the open invites of a user who lost the right to send them, in one account or in all (null).
-- expires_at alone then says whether an invite is listed as open, takes a seat and can be accepted. The roles
-- are those of mayInvite() in features/team/rules.ts; a master counts as an admin.
create or replace function expire_invites_of(p_user uuid, p_account uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  with expired as (
    update invites i set expires_at = i.sent_at
      where i.invited_by = p_user and (p_account is null or i.account_id = p_account) and i.expires_at > i.sent_at
        and not exists (
          select from memberships m where m.account_id = i.account_id and m.user_id = p_user
            and (m.role = 'owner' or i.role in ('admin', 'user')
              and (m.role = 'admin' or exists (select from masters x where x.user_id = p_user))))
      returning i.id, i.account_id, i.email, i.role)
  -- Without an account that was deleted with its members.
  insert into audit_log (id, account_id, action, target, metadata, created_at)
    select gen_random_uuid(), e.account_id, 'invite.expired', e.id,
      jsonb_build_object('email', e.email, 'role', e.role), now()
    from expired e join accounts a on a.id = e.account_id
$$;

revoke all on function expire_invites_of from public;
alter function expire_invites_of owner to plinth_system;
