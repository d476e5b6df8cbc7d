import { CompiledQuery } from 'kysely'
import type { Tx } from '../../context.ts'
import { countedTo, type Place } from '../../lib/paging.ts'
import { preparedAs } from '../../lib/prepared.ts'

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

/** Columns, not what is made of them: row-level security lets a comparison go first only where nothing can leak by it. */
const memberKeys: Record<Sort, string> = {
  name: 'm.person_name',
  email: 'm.person_email',
  permission: 'm.role_key',
  status: 'm.status_key',
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

/** A row of the list with what is shown of it: what only members have is null in an invite, and the other way. */
export type Listed = Found & {
  email: string
  role: string
  first_name: string | null
  last_name: string | null
  avatar: string | null
  verified_at: Date | null
  last_login_at: Date | number | null
  created_at: Date | null
  sent_at: Date | null
  expires_at: Date | null
}

/**
 * One more row than the page has, from a place on: two ranges of two indexes, members and invites, put together.
 * @param limit rows of the page
 */
export async function findRows(
  tx: Tx,
  wanted: Wanted,
  part: Part,
): Promise<{ rows: Listed[]; counted: number }> {
  const { text, values } = pageQuery(wanted, part)
  const { rows } = await tx.executeQuery<{ counted: number } & (Listed | { id: null })>(
    CompiledQuery.raw(text, values),
  )
  return {
    counted: rows[0]?.counted ?? 0,
    rows: rows.filter((row): row is { counted: number } & Listed => row.id !== null),
  }
}

/** The page and what is shown of it, in one statement: each of its parts would be a wait of its own. */
function pageQuery(wanted: Wanted, part: Part): { text: string; values: unknown[] } {
  const { text, values } = rowsQuery(wanted, part)
  // The place of a row is kept by its number, for to join may change it; what is counted stands beside each row, and
  // alone when there is none. Kept apart (offset 0), so that the few rows of the page are looked up one by one, and not
  // all of the account's beside them.
  const whole = `with found as materialized (${text}), numbered as (select *, row_number() over () as place from found)
    select c.counted, f.id, f.kind, f.value, coalesce(p.email, i.email) as email, coalesce(p.role, i.role) as role,
      p.first_name, p.last_name, p.avatar, p.verified_at, p.last_login_at, p.created_at, i.sent_at, i.expires_at
    from (select ${countOf(wanted, values)} as counted) c
      left join numbered f on true
      left join lateral (
        select u.email, m.role, u.first_name, u.last_name, u.avatar, u.verified_at, m.last_login_at, m.created_at
        from memberships m join users u on u.id = m.user_id
        where f.kind = 'user' and m.account_id = $1 and m.user_id = f.id offset 0
      ) p on true
      left join lateral (
        select email, role, sent_at, expires_at from invites
        where f.kind = 'invite' and account_id = $1 and id = f.id offset 0
      ) i on true
    order by f.place`
  // Without words to look for there are as many texts as orders, parts and states. To plan one takes longer than to run it.
  const { sort, down, status = 'all', words } = wanted
  const from = part.place ? (part.place.back ? 'up_to' : 'from') : 'first'
  const name = `team/${sort}/${down ? 'down' : 'up'}/${status}/${from}`
  return { text: words.length ? whole : preparedAs(name, whole), values }
}

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
function countOf(wanted: Wanted, values: unknown[]): string {
  const { members, invites } = filters(wanted, values)
  const upTo = (source: string) =>
    `(select count(*)::int from (select from ${source} limit ${countedTo + 1}) one)`
  const parts = [
    ...(wanted.status === 'invited' ? [] : [upTo(`memberships m where m.account_id = $1 and ${members}`)]),
    ...(wanted.status && wanted.status !== 'invited'
      ? []
      : [upTo(`invites i where i.account_id = $1 and ${invites}`)]),
  ]
  return parts.join(' + ')
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
