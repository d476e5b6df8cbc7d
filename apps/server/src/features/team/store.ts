import type { Tx } from '../../db/transaction.ts'

/** Counts members (`used`) and valid invites (`held`). */
export function countSeats(tx: Tx, accountId: string, now: Date): Promise<{ used: number; held: number }> {
  return tx
    .selectNoFrom(eb => [
      eb
        .selectFrom('memberships')
        .select(eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .$asScalar()
        .$notNull()
        .as('used'),
      eb
        .selectFrom('invites')
        .select(eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .$asScalar()
        .$notNull()
        .as('held'),
    ])
    .executeTakeFirstOrThrow()
}

/** Counts the valid invites, except those to some addresses. */
export async function countValidInvites(
  tx: Tx,
  accountId: string,
  by: { now: Date; except: string[] },
): Promise<number> {
  const { count } = await tx
    .selectFrom('invites')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('expires_at', '>', by.now)
    .$if(by.except.length > 0, query => query.where('email', 'not in', by.except))
    .executeTakeFirstOrThrow()
  return count
}

/** Which of the addresses belong to members of the account. */
export async function findMembersAmong(tx: Tx, accountId: string, emails: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('memberships.account_id', '=', accountId)
    .where('users.email', 'in', emails)
    .execute()
  return rows.map(row => row.email)
}

/** The invites to the addresses, including expired ones. */
export function findInvitesAmong(tx: Tx, accountId: string, emails: string[]) {
  return tx
    .selectFrom('invites')
    .select(['id', 'email', 'role', 'sent_at'])
    .where('account_id', '=', accountId)
    .where('email', 'in', emails)
    .execute()
}

export type NewInvite = {
  id: string
  account_id: string
  email: string
  role: string
  first_name: string
  last_name: string
  secret_hash: Buffer
  invited_by: string
  sent_at: Date
  expires_at: Date
}

/**
 * Writes an invite. An existing invite to the address keeps its row and gets a new token, which voids the older link.
 */
export function saveInvite(tx: Tx, invite: NewInvite) {
  const { id, account_id, email, ...renewed } = invite
  return tx
    .insertInto('invites')
    .values(invite)
    .onConflict(conflict => conflict.columns(['account_id', 'email']).doUpdateSet(renewed))
    .returning('id')
    .executeTakeFirstOrThrow()
}

export function findInvite(tx: Tx, secretHash: Buffer) {
  return tx
    .selectFrom('invites')
    .innerJoin('accounts', 'accounts.id', 'invites.account_id')
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select([
      'invites.id',
      'invites.account_id',
      'invites.email',
      'invites.role',
      'invites.expires_at',
      'invites.first_name',
      'invites.last_name',
      'invites.invited_by',
      'accounts.name as account_name',
      'users.first_name as inviter_first_name',
      'users.last_name as inviter_last_name',
    ])
    .where('invites.secret_hash', '=', secretHash)
    .executeTakeFirst()
}

export async function insertUsedInvite(
  tx: Tx,
  row: {
    id: string
    token_hash: Buffer
    user_id: string
    email: string
    created_at: Date
    expires_at: Date
    used_at: Date
  },
) {
  await tx
    .insertInto('mailed_tokens')
    .values({ ...row, purpose: 'invite' })
    .execute()
}

/** Whether this user has accepted the invite. */
export async function hasUsedInvite(tx: Tx, secretHash: Buffer, userId: string, now: Date): Promise<boolean> {
  const used = await tx
    .selectFrom('mailed_tokens')
    .select('id')
    .where('token_hash', '=', secretHash)
    .where('purpose', '=', 'invite')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return used !== undefined
}

/** Uses an invite; of parallel calls one gets true. */
export async function removeInvite(tx: Tx, secretHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('invites')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
