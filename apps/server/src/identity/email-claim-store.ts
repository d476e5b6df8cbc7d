import { CompiledQuery } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import { findVerifiedUser } from './user-store.ts'

/**
 * Locks an address until the transaction ends, so that only one user can prove it, on any server.
 * @returns the verified user who has it
 */
export async function lockEmail(
  tx: Tx,
  email: string,
): Promise<{ id: string; first_name: string; locale: string } | undefined> {
  await tx.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 7))', [email]))
  return findVerifiedUser(tx, email)
}

export async function markVerified(tx: Tx, user: { id: string; email: string }, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ verified_at: now })
    .where('id', '=', user.id)
    .where('email', '=', user.email)
    .where('verified_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error('The locked user row changed before it was verified')
}

/**
 * Removes the unverified users of a proven address, their sessions, and the accounts without another member.
 *
 * Locks: the users in order, then the accounts, in the same order as closing an account.
 * @param except the user who has proven the address
 */
export async function removeUnverifiedUsers(tx: Tx, email: string, except: string | null = null) {
  const unverified = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .$if(except !== null, query => query.where('id', '!=', except))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (unverified.length === 0) return
  const ids = unverified.map(user => user.id)
  await tx.executeQuery(
    CompiledQuery.raw(
      `delete from accounts a using memberships m where m.account_id = a.id and m.user_id = any($1)
       and not exists (select from memberships o where o.account_id = a.id and o.user_id <> all($1))`,
      [ids],
    ),
  )
  await tx.deleteFrom('users').where('id', 'in', ids).execute()
}

/** Moves the accounts of an unverified user to the verified user of the same address and deletes the unverified one. */
export async function moveAccounts(tx: Tx, from: string, to: string) {
  await tx.deleteFrom('sessions').where('user_id', '=', from).execute()
  await tx.updateTable('memberships').set({ user_id: to }).where('user_id', '=', from).execute()
  await tx
    .updateTable('users')
    .set({ duplicate_user: true, onboarded_at: null })
    .where('id', '=', to)
    .execute()
  await tx.deleteFrom('users').where('id', '=', from).execute()
}
