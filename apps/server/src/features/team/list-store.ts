import { CompiledQuery } from 'kysely'
import type { Tx } from '../../context.ts'
import { countedTo, type Place } from '../../lib/paging.ts'

export type Sort = 'name' | 'email' | 'last_login' | 'permission' | 'status'
export type Status = 'verified' | 'registered' | 'invited'
export type Wanted = {
  account_id: string
  sort: Sort
  down: boolean
  /** Words, each of which has to be in the name or the address. */
  words: string[]
  status: Status | undefined
}
export type Found = { id: string; kind: 'user' | 'invite'; value: string }

/** As the indexes have them, to the letter: anything else would read and sort the whole account. */
const memberKeys: Record<Sort, string> = {
  name: 'm.person_name',
  email: 'm.person_email',
  permission: '(role_rank(m.role) || m.person_name)',
  status: "((case when m.person_verified then '0' else '1' end) || m.person_name)",
  last_login: 'm.last_login_at',
}

/** An invite has no name and no login: what is missing stands at the end, whichever way one sorts. */
function inviteKeys(down: boolean): Record<Sort, string> {
  const edge = down ? 'chr(1)' : 'chr(1114111)'
  return {
    name: `(${edge} || i.email) collate "C"`,
    email: 'i.email collate "C"',
    permission: `(role_rank(i.role) || ${edge} || i.email) collate "C"`,
    status: `('2' || i.email) collate "C"`,
    last_login: `'${down ? '-' : ''}infinity'::timestamptz`,
  }
}

/**
 * One more row than the page has, from a place on: two ranges of two indexes, members and invites, put together.
 * @param limit rows of the page
 */
export async function findRows(tx: Tx, wanted: Wanted, part: Part): Promise<Found[]> {
  const { text, values } = rowsQuery(wanted, part)
  await tx.executeQuery(CompiledQuery.raw(inOrder))
  const { rows } = await tx.executeQuery<Found>(CompiledQuery.raw(text, values))
  return rows
}

/**
 * For the transaction: an index is read in its order, and nothing sorted. A database that has not counted its rows yet
 * takes every account for a small one; the embedded one never counts.
 */
export const inOrder =
  "select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)"

type Part = { place: Place | undefined; limit: number }

/** The statement, apart so that a test can ask for its plan. */
export function rowsQuery(wanted: Wanted, { place, limit }: Part): { text: string; values: unknown[] } {
  const { sort, down, status } = wanted
  const values: unknown[] = [wanted.account_id, limit + 1]
  // Backwards is the other direction, and turned around again by the reader.
  const backwards = down !== (place?.back ?? false)
  const way = backwards ? 'desc' : 'asc'
  const type = sort === 'last_login' ? 'timestamptz' : 'text'
  if (place) values.push(place.value, place.id)
  const from = (key: string, id: string) =>
    place ? `and (${key}, ${id}) ${backwards ? '<' : '>'} ($3::${type}, $4::uuid)` : ''
  const branch = (kind: Found['kind'], key: string, id: string, source: string, filter: string) =>
    `(select ${id} as id, '${kind}' as kind, ${key} as key from ${source} and ${filter} ${from(key, id)}
      order by ${key} ${way}, ${id} ${way} limit $2)`
  const { members, invites } = filters(wanted, values)
  const branches = [
    ...(status === 'invited'
      ? []
      : [branch('user', memberKeys[sort], 'm.user_id', 'memberships m where m.account_id = $1', members)]),
    ...(status && status !== 'invited'
      ? []
      : [branch('invite', inviteKeys(down)[sort], 'i.id', 'invites i where i.account_id = $1', invites)]),
  ]
  return {
    text: `select id, kind, key::text as value from (${branches.join(' union all ')}) found
      order by key ${way}, id ${way} limit $2`,
    values,
  }
}

/** How many there are, counted no further than anybody reads. */
export async function countRows(tx: Tx, wanted: Wanted): Promise<number> {
  const values: unknown[] = [wanted.account_id]
  const { members, invites } = filters(wanted, values)
  const upTo = (source: string) =>
    `(select count(*)::int from (select from ${source} limit ${countedTo + 1}) one)`
  const parts = [
    ...(wanted.status === 'invited' ? [] : [upTo(`memberships m where m.account_id = $1 and ${members}`)]),
    ...(wanted.status && wanted.status !== 'invited'
      ? []
      : [upTo(`invites i where i.account_id = $1 and ${invites}`)]),
  ]
  const { rows } = await tx.executeQuery<{ count: number }>(
    CompiledQuery.raw(`select ${parts.join(' + ')} as count`, values),
  )
  return rows[0]?.count ?? 0
}

function filters({ words, status }: Wanted, values: unknown[]): { members: string; invites: string } {
  const members = status ? [status === 'verified' ? 'm.person_verified' : 'not m.person_verified'] : ['true']
  const invites = ['true']
  for (const word of words) {
    const like = `'%' || folded($${values.push(word.replace(/[\\%_]/g, '\\$&'))}) || '%'`
    members.push(`(m.person_name like ${like} or m.person_email like ${like})`)
    invites.push(`i.email like ${like}`)
  }
  return { members: members.join(' and '), invites: invites.join(' and ') }
}

export function findMembersById(tx: Tx, accountId: string, ids: string[]) {
  return tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.email',
      'users.avatar',
      'users.verified_at',
      'memberships.role',
      'memberships.last_login_at',
      'memberships.created_at',
    ])
    .where('memberships.account_id', '=', accountId)
    .where('memberships.user_id', 'in', ids)
    .execute()
}

export function findInvitesById(tx: Tx, accountId: string, ids: string[]) {
  return tx
    .selectFrom('invites')
    .select(['id', 'email', 'role', 'sent_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
}
