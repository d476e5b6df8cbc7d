import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../context.ts'

export type Member = {
  id: string
  email: string
  first_name: string
  locale: string
  role: string
  verified: boolean
  /** The number of the user's accounts, including this one. */
  accounts: number
}

/** Locks several users, in the order of their ids to avoid deadlocks. */
export async function lockUsers(tx: Tx, ids: string[]) {
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

export async function lockMembers(tx: Tx, accountId: string) {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', eb =>
      eb.selectFrom('memberships').select('user_id').where('account_id', '=', accountId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The members of an account. Read under the account's lock: roles and counts may change otherwise. */
export const findMembers = (tx: Tx, accountId: string): Promise<Member[]> => members(tx, accountId).execute()

export const findMember = (tx: Tx, accountId: string, userId: string): Promise<Member | undefined> =>
  members(tx, accountId).where('users.id', '=', userId).executeTakeFirst()

function members(tx: Tx, accountId: string) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .select(eb => [
      'users.id',
      'users.email',
      'users.first_name',
      'users.locale',
      'memberships.role',
      eb('users.verified_at', 'is not', null).$castTo<boolean>().as('verified'),
      eb
        .selectFrom('memberships as all')
        .whereRef('all.user_id', '=', 'users.id')
        .select(inner => inner.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('accounts'),
    ])
    .orderBy('users.id')
}

/** Deletes an account with its memberships, sessions, invites, subscription and audit log. */
export async function removeAccount(tx: Tx, id: string) {
  await tx
    .updateTable('users')
    .set({ default_account_id: null })
    .where('default_account_id', '=', id)
    .execute()
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
}

/** Deletes a membership with its sessions, links and pending second steps. */
export async function removeMembership(tx: Tx, accountId: string, userId: string) {
  await tx
    .deleteFrom('memberships')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .deleteFrom('challenges')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
  await tx
    .updateTable('users')
    .set({ default_account_id: null })
    .where('id', '=', userId)
    .where('default_account_id', '=', accountId)
    .execute()
}

/**
 * Deletes a user, the user's addresses in audit logs, and saved idempotent replies. An unverified address stays in
 * the logs: it may belong to another person. Invites stay, because they belong to the account that sent them.
 */
export async function deleteUser(tx: Tx, { id, email, verified }: Member) {
  const changes = await tx.selectFrom('email_changes').select('old_email').where('user_id', '=', id).execute()
  // New addresses may belong to another person, so they are not erased from the logs.
  const addresses = verified ? [...new Set([email, ...changes.map(({ old_email }) => old_email)])] : []
  await tx.executeQuery(CompiledQuery.raw('select anonymize_audit_log($1, $2)', [id, addresses]))
  await tx.deleteFrom('idempotency_keys').where('scope', 'like', `${id} %`).execute()
  await tx.deleteFrom('users').where('id', '=', id).execute()
}
