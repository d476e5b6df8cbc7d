import { CompiledQuery } from 'kysely'
import { inOrder, type Tx } from '../../db/transaction.ts'
import type { AuditRow } from '../../identity/audit-store.ts'
import { countedTo, type Place, scanOf } from '../../lib/paging.ts'
import { memberNamed } from '../../lib/search.ts'

export type Wanted = {
  account_id: string
  /** Each word must be in the user's name or address. */
  words: readonly string[]
  /** The members who match the words, when they are few. */
  people: readonly string[] | null
  what: string | undefined
  since: Date | undefined
  until: Date | undefined
}
type Part = { down: boolean; place: Place | undefined; limit: number }
export type Found = Omit<AuditRow, 'account_id'>

/** The entries of a page and one more, from a cursor; backwards when the cursor says so. */
export async function findEntries(tx: Tx, wanted: Wanted, { down, place, limit }: Part): Promise<Found[]> {
  const { order: way, beyond: sign } = scanOf(down, place)
  const { from, values } = sourceOf(wanted)
  const beyond = place
    ? `and (l.created_at, l.id) ${sign} ($${values.push(new Date(place.value))}::timestamptz, $${values.push(place.id)}::uuid)`
    : ''
  const most = `$${values.push(limit + 1)}`
  const order = (table: string) => `order by ${table}.created_at ${way}, ${table}.id ${way} limit ${most}`
  const text = from(
    `select l.id, l.user_id, l.action, l.target, l.metadata, l.network, l.created_at`,
    `${beyond} ${order('l')}`,
  )
  await tx.executeQuery(CompiledQuery.raw(inOrder))
  const { rows } = await tx.executeQuery<Found>(
    CompiledQuery.raw(wanted.people ? `${text} ${order('found')}` : text, values),
  )
  return rows
}

/** Counts the entries up to a maximum. */
export async function countEntries(tx: Tx, wanted: Wanted): Promise<number> {
  const { from, values } = sourceOf(wanted)
  const most = `limit ${countedTo + 1}`
  // Ordered like the index, or PostgreSQL would read the whole table for an account with most of its entries.
  const entries = from('select l.id', `order by l.created_at, l.id ${most}`)
  const text = `select count(*)::int as count from (${entries} ${wanted.people ? most : ''}) counted`
  const { rows } = await tx.executeQuery<{ count: number }>(CompiledQuery.raw(text, values))
  return rows[0]?.count ?? 0
}

/**
 * The query for the filtered entries, which reads ranges of one index. For a few people it reads one range each; for
 * many it reads the account's range and compares each entry, which fills a page quickly.
 */
function sourceOf({ account_id, words, people, what, since, until }: Wanted) {
  const values: unknown[] = [account_id]
  const filters = ['l.account_id = $1']
  if (what) filters.push(`l.area = $${values.push(what)}`)
  if (since) filters.push(`l.created_at >= $${values.push(since)}`)
  if (until) filters.push(`l.created_at < $${values.push(until)}`)
  if (!people && words.length)
    filters.push(
      `exists (select from memberships m where m.account_id = l.account_id and m.user_id = l.user_id and ${named(words, values)})`,
    )
  const own = filters.join(' and ')
  const persons = people ? `$${values.push(people)}::uuid[]` : ''
  return {
    values,
    from: (select: string, rest: string) =>
      people
        ? `select found.* from unnest(${persons}) person(id) cross join lateral (
            ${select} from audit_log l where ${own} and l.user_id = person.id ${rest}) found`
        : `${select} from audit_log l where ${own} ${rest}`,
  }
}

function named(words: readonly string[], values: unknown[]): string {
  return words.map(word => memberNamed(word, values)).join(' and ')
}

/** The members who match the words, up to a maximum. */
export async function findNamed(
  tx: Tx,
  accountId: string,
  words: readonly string[],
  most: number,
): Promise<string[]> {
  const values: unknown[] = [accountId]
  const text = `select m.user_id from memberships m where m.account_id = $1 and ${named(words, values)} limit ${most}`
  const { rows } = await tx.executeQuery<{ user_id: string }>(CompiledQuery.raw(text, values))
  return rows.map(({ user_id }) => user_id)
}

export type Person = {
  id: string
  name: string
  email: string | null
  avatar: string | null
  member: boolean
}

/** The users of some entries, including former members. */
export async function findPeople(tx: Tx, ids: readonly string[]): Promise<Person[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.executeQuery<Person>(
    CompiledQuery.raw('select id, name, email, avatar, member from find_audit_people($1)', [ids]),
  )
  return rows
}
