import { CompiledQuery } from 'kysely'
import type { Tx } from '../../context.ts'

/** A member with the fields that decide which changes are allowed. Read under the account's lock: they may change otherwise. */
export function findMember(tx: Tx, accountId: string, userId: string) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.user_id', '=', userId)
    .select(eb => [
      'users.id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.avatar',
      'users.locale',
      'users.verified_at',
      'memberships.person_verified as verified',
      'memberships.role',
      'memberships.last_login_at',
      'memberships.created_at',
      eb
        .selectFrom('memberships as all')
        .whereRef('all.user_id', '=', 'users.id')
        .select(inner => inner.fn.countAll<number>().as('count'))
        .$asScalar()
        .$notNull()
        .as('accounts'),
    ])
    .executeTakeFirst()
}

/** Not limited to an account, for masters. */
export function findUserEmail(tx: Tx, userId: string) {
  return tx.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
}

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMember>>>

/** Locks several users, in the order of their ids to avoid deadlocks. */
export async function lockMembers(tx: Tx, accountId: string, ids: string[]) {
  await tx
    .selectFrom('users')
    .select('users.id')
    // Only members of this account, so that a foreign id locks no row.
    .where('users.id', 'in', eb =>
      eb
        .selectFrom('memberships')
        .select('user_id')
        .where('account_id', '=', accountId)
        .where('user_id', 'in', ids),
    )
    .orderBy('users.id')
    .forUpdate()
    .execute()
}

export async function setRole(tx: Tx, accountId: string, userId: string, role: string) {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

/** Sessions from before can no longer switch to the account. */
export async function markSignedOut(tx: Tx, by: { user_id: string; account_id: string }, now: Date) {
  await tx
    .updateTable('memberships')
    .set({ signed_out_at: now })
    .where('account_id', '=', by.account_id)
    .where('user_id', '=', by.user_id)
    .execute()
}

export type UserDetails = { first_name?: string; last_name?: string; email?: string }

export async function updateUserDetails(tx: Tx, userId: string, change: UserDetails) {
  await tx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** An owner who may sign in without enforced single sign-on (break-glass) transfers this right with the ownership. */
export async function transferBreakGlass(tx: Tx, accountId: string, from: string, to: string) {
  await tx.executeQuery(
    CompiledQuery.raw(
      `insert into sso_break_glass (account_id, user_id)
       select account_id, $3 from sso_break_glass where account_id = $1 and user_id = $2 on conflict do nothing`,
      [accountId, from, to],
    ),
  )
}

/** @returns the removed invite; undefined when the account has none of that id */
export function removeInviteById(tx: Tx, accountId: string, id: string) {
  return tx
    .deleteFrom('invites')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning(['email', 'role'])
    .executeTakeFirst()
}

export async function removeInviteTo(tx: Tx, accountId: string, email: string) {
  await tx.deleteFrom('invites').where('account_id', '=', accountId).where('email', '=', email).execute()
}
