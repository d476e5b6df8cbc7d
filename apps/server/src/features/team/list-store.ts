import { CompiledQuery } from 'kysely'
import type { Tx } from '../../context.ts'
import { countedTo, type Place, scanOf } from '../../lib/paging.ts'
import { likeEmail, memberNamed } from '../../lib/search.ts'
import { preparedAs } from '../../runtime/prepared.ts'

export type Sort = 'name' | 'email' | 'last_login' | 'permission' | 'status'
export type Status = 'verified' | 'registered' | 'invited'
export type TeamFilter = {
  account_id: string
  sort: Sort
  descending: boolean
  /** Each word must be in the name or the address. */
  words: string[]
  status: Status | undefined
}
/** Plain columns, not expressions: with row-level security PostgreSQL runs only leakproof comparisons before the policy. */
const memberKeys: Record<Sort, string> = {
  name: 'm.person_name',
  email: 'm.person_email',
  permission: 'm.role_key',
  status: 'm.status_key',
  last_login: 'm.last_login_at',
}

/** An invite has no name and no sign-in: empty values sort last in both directions. */
function inviteKeys(descending: boolean): Record<Sort, string> {
  const edge = descending ? 'chr(1)' : 'chr(1114111)'
  return {
    name: `(${edge} || i.email) collate "C"`,
    email: 'i.email collate "C"',
    permission: `(role_rank(i.role) || ${edge} || i.email) collate "C"`,
    status: `('2' || i.email) collate "C"`,
    last_login: `'${descending ? '-' : ''}infinity'::timestamptz`,
  }
}

type Person = {
  kind: 'user'
  first_name: string
  last_name: string
  avatar: string | null
  verified: boolean
  /** A number when the member never signed in: the database stores -infinity. */
  last_login_at: Date | number
  created_at: Date
  sent_at: null
  expires_at: null
}
type Invitation = {
  kind: 'invite'
  first_name: null
  last_name: null
  avatar: null
  verified: null
  last_login_at: null
  created_at: null
  sent_at: Date
  expires_at: Date
}
/** A row of the list. `value` is its sort key. */
export type TeamRow = { id: string; value: string; email: string; role: string } & (Person | Invitation)

type Part = { place: Place | undefined; limit: number }

/** The rows of a page and one more: a range of members and a range of invites, merged. */
export async function findTeamRows(tx: Tx, wanted: TeamFilter, part: Part): Promise<TeamRow[]> {
  const { text, values } = teamRowsQuery(wanted, part)
  // Prepared, because planning takes longer than running. Without search words there are few different statements.
  const { sort, descending, status = 'all', words } = wanted
  const from = part.place ? (part.place.back ? 'up_to' : 'from') : 'first'
  const name = `team/${sort}/${descending ? 'descending' : 'ascending'}/${status}/${from}`
  const statement = words.length ? text : preparedAs(name, text)
  const { rows } = await tx.executeQuery<TeamRow>(CompiledQuery.raw(statement, values))
  return rows
}

const memberColumns = `'user' as kind, m.person_email as email, m.role, m.person_first_name as first_name,
  m.person_last_name as last_name, m.person_avatar as avatar, m.person_verified as verified, m.last_login_at, m.created_at,
  null::timestamptz as sent_at, null::timestamptz as expires_at`
const inviteColumns = `'invite' as kind, i.email, i.role, null as first_name, null as last_name, null as avatar,
  null::boolean as verified, null::timestamptz as last_login_at, null::timestamptz as created_at, i.sent_at, i.expires_at`

/** The statement of findTeamRows(); exported for a test of its plan. */
export function teamRowsQuery(
  wanted: TeamFilter,
  { place, limit }: Part,
): { text: string; values: unknown[] } {
  const { sort, descending, status } = wanted
  const values: unknown[] = [wanted.account_id, limit + 1]
  // A page before a place is read in the opposite direction and reversed by the caller.
  const { order: direction, beyond: operator } = scanOf(descending, place)
  const type = sort === 'last_login' ? 'timestamptz' : 'text'
  if (place) values.push(place.value, place.id)
  const from = (key: string, id: string) =>
    place ? `and (${key}, ${id}) ${operator} ($3::${type}, $4::uuid)` : ''
  const branch = (columns: string, key: string, id: string, source: string, filter: string) =>
    `(select ${id} as id, ${key} as key, ${columns} from ${source} and ${filter} ${from(key, id)}
      order by ${key} ${direction}, ${id} ${direction} limit $2)`
  const { members, invites } = filters(wanted, values)
  const memberSource = 'memberships m where m.account_id = $1'
  const inviteSource = 'invites i where i.account_id = $1'
  const branches = [
    ...(status === 'invited'
      ? []
      : [branch(memberColumns, memberKeys[sort], 'm.user_id', memberSource, members)]),
    ...(status && status !== 'invited'
      ? []
      : [branch(inviteColumns, inviteKeys(descending)[sort], 'i.id', inviteSource, invites)]),
  ]
  return {
    text: `select id, key::text as value, kind, email, role, first_name, last_name, avatar, verified, last_login_at,
        created_at, sent_at, expires_at
      from (${branches.join(' union all ')}) found
      order by key ${direction}, id ${direction} limit $2`,
    values,
  }
}

/**
 * Whether another member is an owner. Compares the indexed sort key of roles, which starts with 0 for owners.
 */
export async function hasOtherOwner(tx: Tx, accountId: string, userId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('role_key', '<', '1')
    .where('user_id', '!=', userId)
    // Without the order the planner may read all members to find none.
    .orderBy('role_key')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Counts members and invites, up to `countedTo` of each. */
export async function countTeamRows(tx: Tx, wanted: TeamFilter): Promise<number> {
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
  const { rows } = await tx.executeQuery<{ counted: number }>(
    CompiledQuery.raw(`select ${parts.join(' + ')} as counted`, values),
  )
  return rows[0]?.counted ?? 0
}

function filters({ words, status }: TeamFilter, values: unknown[]): { members: string; invites: string } {
  const members = status ? [status === 'verified' ? 'm.person_verified' : 'not m.person_verified'] : ['true']
  const invites = ['true']
  for (const word of words) {
    members.push(memberNamed(word, values))
    invites.push(`i.email like ${likeEmail(word, values)}`)
  }
  return { members: members.join(' and '), invites: invites.join(' and ') }
}
