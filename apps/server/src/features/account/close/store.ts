import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../context.ts'

export type Member = {
  id: string
  email: string
  first_name: string
  locale: string
  role: string
  verified: boolean
  /** How many they are in, this one included. */
  accounts: number
}

/** Holds users until the transaction ends, in the one order in which several are held. */
export async function holdUsers(tx: Tx, ids: string[]) {
  await tx.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

export async function holdMembers(tx: Tx, accountId: string) {
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

/** Everybody in the account. Only under its lock are the roles and the counts worth anything. */
export const findMembers = (tx: Tx, accountId: string): Promise<Member[]> => members(tx, accountId).execute()

export const findOne = (tx: Tx, accountId: string, userId: string): Promise<Member | undefined> =>
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

/** With it goes all that belongs to it: memberships and their sessions, invites, subscription, log. */
export async function removeAccount(tx: Tx, id: string) {
  await tx
    .updateTable('users')
    .set({ default_account_id: null })
    .where('default_account_id', '=', id)
    .execute()
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
}

/** Sessions, links and half-done sign-ins that stand on it go with it. */
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
 * Removes a person and what names them elsewhere: their addresses in logs, the answers kept for their calls. An address
 * that they never proved is nobody's word for that. An invite stays: it belongs to the account that sent it.
 */
export async function forget(tx: Tx, { id, email, verified }: Member) {
  const changes = await tx.selectFrom('email_changes').select('old_email').where('user_id', '=', id).execute()
  // The new ones may be anybody's: nobody erases another person from a log by naming their address.
  const addresses = verified ? [...new Set([email, ...changes.map(({ old_email }) => old_email)])] : []
  await tx.executeQuery(CompiledQuery.raw('select forget_in_audit($1, $2)', [id, addresses]))
  await tx.deleteFrom('idempotency_keys').where('scope', 'like', `${id} %`).execute()
  await tx.deleteFrom('users').where('id', '=', id).execute()
}
