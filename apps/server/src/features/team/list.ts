import type { Invite, Member } from '@plinth/contract'
import type { Role } from '@plinth/contract/roles'
import { isAssignableRole, isRole } from '@plinth/contract/roles'
import type { AuthedContext } from '../../context.ts'
import { lastLogin } from '../../lib/last-login.ts'
import { pageOf, placeOf } from '../../lib/paging.ts'
import { searchWords } from '../../lib/search.ts'
import * as store from './list-store.ts'
import { assignableRolesOf, seatsOf } from './rules.ts'
import { countSeats } from './store.ts'

type Query = {
  search?: string | undefined
  sort?: string | undefined
  status?: store.Status | undefined
  cursor?: string | undefined
  limit?: number | undefined
}
/** A time as PostgreSQL formats it; anything else is a cursor of another sort order. */
const moment = /^-?infinity$|^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/

/** A page of members and invites in one order. */
export async function listTeam(
  ctx: AuthedContext,
  { search, sort = 'name', status, cursor, limit = 100 }: Query,
) {
  const { account_id, plan } = ctx.actor
  const wanted: store.TeamFilter = {
    account_id,
    // as: checked by the contract's schema
    sort: sort.replace(/^-/, '') as store.Sort,
    descending: sort.startsWith('-'),
    words: searchWords(search),
    status,
  }
  const place = placeOf(cursor, value => wanted.sort !== 'last_login' || moment.test(value))
  const read = await ctx.within(tx => store.findTeamRows(tx, wanted, { place, limit }), 'readOnlyList')
  // A first page that is not full contains all rows.
  const isWhole = !place && read.length <= limit
  const allRows = isWhole && wanted.words.length === 0 && !status ? read : null
  const [counted, seats, only_owner] = await Promise.all([
    isWhole ? read.length : ctx.within(tx => store.countTeamRows(tx, wanted), 'readOnlyList'),
    countSeatsOf(ctx, plan, allRows),
    isOnlyOwner(ctx, allRows),
  ])
  const { rows, page } = pageOf(read, { place, limit, counted }, row => row)
  ctx.page(page)
  return {
    users: rows.flatMap(row => (row.kind === 'user' ? [memberOf(ctx, row)] : [])),
    invites: rows.flatMap(row => (row.kind === 'invite' ? [inviteOf(ctx, row)] : [])),
    order: rows.map(({ id }) => id),
    only_owner,
    seats,
  }
}

type MemberRow = {
  id: string
  email: string
  role: string
  first_name: string
  last_name: string
  avatar: string | null
  verified: boolean
  last_login_at: Date | number
  created_at: Date
}
type InviteRow = Extract<store.TeamRow, { kind: 'invite' }>

/** @param allRows all members and invites, when the page contains all of them */
async function isOnlyOwner(
  { actor, within }: AuthedContext,
  allRows: store.TeamRow[] | null,
): Promise<boolean> {
  if (actor.permission !== 'owner') return false
  if (allRows)
    return !allRows.some(row => row.kind === 'user' && row.role === 'owner' && row.id !== actor.user_id)
  return !(await within(tx => store.hasOtherOwner(tx, actor.account_id, actor.user_id), 'readOnlyList'))
}

/** @param allRows all members and invites, when the page contains all of them */
async function countSeatsOf(ctx: AuthedContext, plan: string | null, allRows: store.TeamRow[] | null) {
  const limit = seatsOf(plan)
  // Without a limit the count is not needed.
  if (limit === null) return { used: null, held: null, limit }
  if (allRows) {
    const used = allRows.filter(row => row.kind === 'user').length
    const held = allRows.filter(row => row.kind === 'invite' && row.expires_at > ctx.now()).length
    return { used, held, limit }
  }
  const counted = await ctx.within(tx => countSeats(tx, ctx.actor.account_id, ctx.now()), 'readOnlyList')
  return { ...counted, limit }
}

export function memberOf({ actor }: AuthedContext, row: MemberRow): Member {
  const { verified } = row
  return {
    id: row.id,
    you: row.id === actor.user_id,
    name: `${row.first_name} ${row.last_name}`.trim(),
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    avatar: row.avatar,
    permission: roleOf(row.role),
    verified,
    status: verified ? 'verified' : 'registered',
    last_login: lastLogin(row.last_login_at),
    date_created: row.created_at.toISOString(),
    // An unverified user is in one account only.
    editable: !verified && row.id !== actor.user_id,
  }
}

function inviteOf({ now }: AuthedContext, row: InviteRow): Invite {
  return {
    id: row.id,
    email: row.email,
    permission: isAssignableRole(row.role) ? row.role : 'user',
    date_sent: row.sent_at.toISOString(),
    status: 'invited',
    expired: row.expires_at <= now(),
  }
}

/** The roles that the caller can give, with translated names. */
export async function listPermissions(ctx: AuthedContext) {
  return Object.fromEntries(
    assignableRolesOf(ctx.actor.permission).map(role => [role, { label: ctx.t(`roles.${role}`) }]),
  )
}

const roleOf = (role: string): Role => (isRole(role) ? role : 'user')
