import { CompiledQuery } from 'kysely'
import { inOrder, type Tx } from '../../db/transaction.ts'
import type { AuditRow } from '../../identity/audit-store.ts'
import { countedTo, type Place, scanOf } from '../../lib/paging.ts'
import { memberNamed } from '../../lib/search.ts'

export type EntryFilter = {
  account_id: string
  /** Each word must be in the user's name or address. */
  words: readonly string[]
  /** The members who match the words, when they are few. */
  people: readonly string[] | null
  /** The part of `action` before the dot. */
  what: string | undefined
  since: Date | undefined
  until: Date | undefined
}
type Part = { descending: boolean; place: Place | undefined; limit: number }
export type AuditEntryRow = Omit<AuditRow, 'account_id'>

/** The entries of a page and one more, so that the caller knows whether another page follows. */
export async function findEntries(
  tx: Tx,
  wanted: EntryFilter,
  { descending, place, limit }: Part,
): Promise<AuditEntryRow[]> {
  const { order: direction, beyond: operator } = scanOf(descending, place)
  const { from, values } = filteredQuery(wanted)
  const beyondPlace = place
    ? `and (l.created_at, l.id) ${operator} ($${values.push(new Date(place.value))}::timestamptz, $${values.push(place.id)}::uuid)`
    : ''
  const most = `$${values.push(limit + 1)}`
  const order = (table: string) =>
    `order by ${table}.created_at ${direction}, ${table}.id ${direction} limit ${most}`
  const text = from(
    `select l.id, l.user_id, l.action, l.target, l.metadata, l.network, l.created_at`,
    `${beyondPlace} ${order('l')}`,
  )
  await tx.executeQuery(CompiledQuery.raw(inOrder))
  const { rows } = await tx.executeQuery<AuditEntryRow>(
    CompiledQuery.raw(wanted.people ? `${text} ${order('found')}` : text, values),
  )
  return rows
}

/** Counts the entries up to a maximum. */
export async function countEntries(tx: Tx, wanted: EntryFilter): Promise<number> {
  const { from, values } = filteredQuery(wanted)
  const most = `limit ${countedTo + 1}`
  // The order makes PostgreSQL read the account's index range; otherwise it may scan the table for a large account.
  const entries = from('select l.id', `order by l.created_at, l.id ${most}`)
  const text = `select count(*)::int as count from (${entries} ${wanted.people ? most : ''}) counted`
  const { rows } = await tx.executeQuery<{ count: number }>(CompiledQuery.raw(text, values))
  return rows[0]?.count ?? 0
}

/**
 * The query for the filtered entries, which reads ranges of one index. For a few people it reads one range each; for
 * many it reads the account's range and compares each entry, which fills a page quickly.
 */
function filteredQuery({ account_id, words, people, what, since, until }: EntryFilter) {
  const values: unknown[] = [account_id]
  const filters = ['l.account_id = $1']
  if (what) filters.push(`l.area = $${values.push(what)}`)
  if (since) filters.push(`l.created_at >= $${values.push(since)}`)
  if (until) filters.push(`l.created_at < $${values.push(until)}`)
  if (!people && words.length)
    filters.push(
      `exists (select from memberships m where m.account_id = l.account_id and m.user_id = l.user_id and ${matchesAllWords(words, values)})`,
    )
  const own = filters.join(' and ')
  const peopleParameter = people ? `$${values.push(people)}::uuid[]` : ''
  return {
    values,
    from: (select: string, rest: string) =>
      people
        ? `select found.* from unnest(${peopleParameter}) person(id) cross join lateral (
            ${select} from audit_log l where ${own} and l.user_id = person.id ${rest}) found`
        : `${select} from audit_log l where ${own} ${rest}`,
  }
}

function matchesAllWords(words: readonly string[], values: unknown[]): string {
  return words.map(word => memberNamed(word, values)).join(' and ')
}

/** The members who match the words, up to a maximum. */
export async function findMembersByName(
  tx: Tx,
  accountId: string,
  words: readonly string[],
  most: number,
): Promise<string[]> {
  const values: unknown[] = [accountId]
  const text = `select m.user_id from memberships m where m.account_id = $1 and ${matchesAllWords(words, values)} limit ${most}`
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
