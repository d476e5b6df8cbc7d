import type { Tx } from '../../../db/transaction.ts'

export type Whose = { user_id: string; accounts: string[] }

export const findUser = (tx: Tx, userId: string) =>
  tx
    .selectFrom('users')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .leftJoin('email_changes', join =>
      join.onRef('email_changes.user_id', '=', 'users.id').on('email_changes.pending', '=', true),
    )
    .select([
      'users.id',
      'users.email',
      'email_changes.new_email as pending_email',
      'users.first_name',
      'users.last_name',
      'users.avatar',
      'users.locale',
      'users.dark_mode',
      'users.support_enabled',
      'users.default_account_id',
      'users.created_at',
      'users.verified_at',
      'users.onboarded_at',
    ])
    .select(eb => [
      eb('users.password_hash', 'is not', null).as('has_password'),
      eb('two_factors.enabled_at', 'is not', null).as('has_second_factor'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()

export const listMemberships = (tx: Tx, userId: string) =>
  tx
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['memberships.account_id', 'accounts.name', 'memberships.role', 'memberships.created_at'])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.created_at')
    .execute()

export const listSessions = (tx: Tx, { user_id, accounts }: Whose) =>
  tx
    .selectFrom('sessions')
    .select([
      'id',
      'account_id',
      'method',
      'user_agent',
      'network',
      'created_at',
      'last_used_at',
      'expires_at',
    ])
    .where('user_id', '=', user_id)
    // Sessions of support staff are not the user's; the audit log has them.
    .where('impersonator_id', 'is', null)
    .where('account_id', 'in', accounts)
    .orderBy('created_at')
    .execute()

export const listBrowsers = (tx: Tx, userId: string) =>
  tx
    .selectFrom('devices')
    .select(['network', 'first_used_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('first_used_at')
    .execute()

export const listIdentities = (tx: Tx, userId: string) =>
  tx
    .selectFrom('identities')
    .select(['provider', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const listSsoIdentities = (tx: Tx, { user_id, accounts }: Whose) =>
  tx
    .selectFrom('sso_identities')
    .select(['account_id', 'name_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .where('account_id', 'in', accounts)
    .orderBy('created_at')
    .execute()

export const listPasskeys = (tx: Tx, userId: string) =>
  tx
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

export const listNotifications = (tx: Tx, { user_id, accounts }: Whose) =>
  tx
    .selectFrom('notification_settings')
    .select(['account_id', 'name', 'active'])
    .where('user_id', '=', user_id)
    .where('account_id', 'in', accounts)
    .orderBy('name')
    .execute()

export const listFeedback = (tx: Tx, userId: string) =>
  tx
    .selectFrom('feedback')
    .select(['account_id', 'rating', 'comment', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

/** The user's product events, newest first. */
export const listEvents = (tx: Tx, { user_id, accounts }: Whose, most: number) =>
  tx
    .selectFrom('events')
    .select(['account_id', 'name', 'metadata', 'created_at'])
    .where('user_id', '=', user_id)
    .where('account_id', 'in', accounts)
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
