import { sql } from 'kysely'
import type { Tx } from '../../db/transaction.ts'
import { type Part, scanOf } from '../../lib/paging.ts'

const shown = [
  'api_keys.id',
  'api_keys.name',
  'api_keys.masked',
  'api_keys.scope',
  'api_keys.created_at',
  'api_keys.expires_at',
  'api_keys.revoked_at',
  'api_keys.last_used_at',
  'api_keys.search_text',
] as const

/** Keys with their maker's name. A subquery per row reads fewer users than a join when the page is small. */
const keysOf = (tx: Tx, accountId: string) =>
  tx
    .selectFrom('api_keys')
    .where('api_keys.account_id', '=', accountId)
    .select(shown)
    .select(sql<boolean>`api_keys.sealed_key is not null`.as('is_sealed'))
    .select(eb =>
      eb
        .selectFrom('users')
        .select(sql<string>`trim(first_name || ' ' || last_name)`.as('name'))
        .whereRef('users.id', '=', 'api_keys.created_by')
        .as('made_by'),
    )
export type KeyRow = Awaited<ReturnType<ReturnType<typeof keysOf>['executeTakeFirstOrThrow']>>

type KeyFilter = {
  /** LIKE patterns; a key must match all of them. */
  patterns: readonly string[]
  by: 'name' | 'date_created'
  descending: boolean
}

export function listKeys(
  tx: Tx,
  accountId: string,
  { patterns, by, descending, place, limit }: KeyFilter & Part,
) {
  const { order, beyond } = scanOf(descending, place)
  let query = keysOf(tx, accountId)
  for (const pattern of patterns) query = query.where('api_keys.search_text', 'like', pattern)
  if (place && by === 'name')
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('api_keys.search_text', 'api_keys.id'), beyond, tuple(place.value, place.id)),
    )
  if (place && by === 'date_created')
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('api_keys.created_at', 'api_keys.id'), beyond, tuple(new Date(place.value), place.id)),
    )
  return query
    .orderBy(by === 'name' ? 'api_keys.search_text' : 'api_keys.created_at', order)
    .orderBy('api_keys.id', order)
    .limit(limit + 1)
    .execute()
}

/** How many rows a search finds, up to `most`. */
export async function countMatchingKeys(
  tx: Tx,
  accountId: string,
  patterns: readonly string[],
  most: number,
) {
  let query = tx.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
  for (const pattern of patterns) query = query.where('search_text', 'like', pattern)
  const { count } = await tx
    .selectFrom(query.limit(most).as('found'))
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const findKey = (tx: Tx, accountId: string, id: string) =>
  keysOf(tx, accountId).where('api_keys.id', '=', id).executeTakeFirst()

/** A key with its encrypted secret. */
export const findSealedKey = (tx: Tx, accountId: string, id: string) =>
  tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'sealed_key', 'created_by', 'revoked_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()

/** Counts the active keys. Hold the account's lock until the insert that depends on the count. */
export async function countActiveKeys(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return count
}

export type NewKey = {
  id: string
  account_id: string
  created_by: string
  name: string
  masked: string
  scope: string
  key_hash: Buffer
  sealed_key: string | null
  search_text: string
  created_at: Date
  expires_at: Date | null
}

export async function insertKey(tx: Tx, row: NewKey) {
  await tx.insertInto('api_keys').values(row).execute()
}

/** Locks a key's row until the transaction ends. */
export const lockKey = (tx: Tx, accountId: string, id: string) =>
  tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'masked', 'scope', 'created_by', 'revoked_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

type Change = Partial<{
  name: string
  scope: string
  search_text: string
  revoked_at: Date
  sealed_key: null
}>

export async function updateKey(tx: Tx, accountId: string, id: string, change: Change) {
  await tx
    .updateTable('api_keys')
    .set(change)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export const removeKeys = (tx: Tx, accountId: string, ids: readonly string[]) =>
  tx
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .returning(['id', 'name', 'created_by'])
    .execute()

/** Users to mail about keys. */
export const listMakers = (tx: Tx, userIds: readonly string[]) =>
  tx.selectFrom('users').select(['id', 'email', 'first_name', 'locale']).where('id', 'in', userIds).execute()

export const listOwners = async (tx: Tx, accountId: string): Promise<string[]> => {
  const owners = tx.selectFrom('memberships').select('user_id').where('account_id', '=', accountId)
  return (await owners.where('role', '=', 'owner').execute()).map(({ user_id }) => user_id)
}

/** Keys of all accounts that expire soon, with their makers. */
export const listExpiring = (tx: Tx, by: { after: Date; before: Date }) =>
  tx
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.created_by')
    .select([
      'api_keys.id',
      'api_keys.name',
      'api_keys.expires_at',
      'api_keys.warned_days',
      'users.email',
      'users.first_name',
      'users.locale',
    ])
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.expires_at', '>', by.after)
    .where('api_keys.expires_at', '<=', by.before)
    .execute()

/** @returns false when another process has sent this reminder */
export async function markWarned(tx: Tx, id: string, days: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ warned_days: days })
    .where('id', '=', id)
    .where(eb => eb.or([eb('warned_days', 'is', null), eb('warned_days', '>', days)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Active keys of all accounts that a user created since a moment, or has seen. */
export const listExposedKeys = (tx: Tx, by: { user_id: string; since: Date; seen: readonly string[] }) =>
  tx
    .selectFrom('api_keys')
    .select(['id', 'account_id'])
    .where('revoked_at', 'is', null)
    .where(eb =>
      eb.or([
        eb.and([eb('created_by', '=', by.user_id), eb('created_at', '>=', by.since)]),
        eb.and([
          eb('id', '=', eb.fn.any(eb.val(by.seen))),
          // Only in accounts that the user still belongs to.
          eb.exists(
            eb
              .selectFrom('memberships')
              .select('memberships.user_id')
              .where('memberships.user_id', '=', by.user_id)
              .whereRef('memberships.account_id', '=', 'api_keys.account_id'),
          ),
        ]),
      ]),
    )
    .execute()

/** @returns the keys that were active */
export const revokeKeys = (tx: Tx, accountId: string, ids: readonly string[], now: Date) =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: now, sealed_key: null })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name', 'created_by'])
    .execute()
