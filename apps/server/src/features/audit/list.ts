import type { AuditEntry } from '@plinth/contract'
import type { AuditArea } from '@plinth/contract/audit-actions'
import type { AuthedContext, Tx } from '../../context.ts'
import { coarseNetwork } from '../../identity/device-labels.ts'
import { readPage } from '../../lib/paging.ts'
import { searchWords } from '../../lib/search.ts'
import { detailsOf, labelOf, namedIn } from './rules.ts'
import * as store from './store.ts'

export type Filters = {
  search?: string | undefined
  what?: AuditArea | undefined
  since?: string | undefined
  until?: string | undefined
}
type Query = Filters & { sort?: string | undefined; cursor?: string | undefined; limit?: number | undefined }

/** Most people whose entries are read by one index range each; for more, every entry is compared. */
const mostRanges = 20

/** A page of audit entries, newest first by default. */
export async function listAudit(
  ctx: AuthedContext,
  { sort = '-date_created', cursor, limit = 100, ...filters }: Query,
): Promise<AuditEntry[]> {
  return ctx.within(async tx => {
    const wanted = await toStoreFilters(ctx, tx, filters)
    const { rows, page } = await readPage(
      { cursor, limit },
      {
        isValue: isMoment,
        read: part => store.findEntries(tx, wanted, { descending: sort.startsWith('-'), ...part }),
        count: () => store.countEntries(tx, wanted),
        keyOf: cursorOf,
      },
    )
    ctx.page(page)
    return entriesOf(ctx, tx, rows)
  })
}

const isMoment = (value: string) => !Number.isNaN(Date.parse(value)) && value.endsWith('Z')

export const cursorOf = ({ id, created_at }: store.AuditEntryRow) => ({ id, value: created_at.toISOString() })

/** Converts the filters of a call for the store. */
export async function toStoreFilters(
  { actor: { account_id } }: AuthedContext,
  tx: Tx,
  { search, what, since, until }: Filters,
): Promise<store.EntryFilter> {
  const words = searchWords(search)
  const named = words.length ? await store.findMembersByName(tx, account_id, words, mostRanges + 1) : null
  return {
    account_id,
    words,
    people: named && named.length <= mostRanges ? named : null,
    what,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  }
}

/** Adds the names of the users. Networks are shortened as in the list of devices. */
export async function entriesOf(
  { t }: AuthedContext,
  tx: Tx,
  rows: readonly store.AuditEntryRow[],
): Promise<AuditEntry[]> {
  const ids = new Set(rows.map(({ user_id }) => user_id).filter(id => id !== null))
  const people = new Map((await store.findPeople(tx, [...ids])).map(person => [person.id, person]))
  return rows.map(({ id, user_id, action, target, metadata, network, created_at }) => {
    const person = user_id === null ? undefined : people.get(user_id)
    const gone = (id: string | null) => t('audit.gone', { label: labelOf(id) }).trim()
    return {
      id,
      action,
      who: user_id === null ? 'product' : person ? (person.member ? 'member' : 'former') : 'gone',
      name: person?.name ?? (user_id === null ? null : gone(user_id)),
      email: person?.email ?? null,
      avatar: person?.avatar ?? null,
      target,
      details: { ...namedIn({ action, target }, gone), ...detailsOf(metadata) },
      network: coarseNetwork(network),
      date_created: created_at.toISOString(),
    }
  })
}

/** A user's own entries in one account, newest first, with the whole network. */
export async function listOwnEntries(
  tx: Tx,
  { account_id, user_id }: { account_id: string; user_id: string },
  most: number,
) {
  const wanted = {
    account_id,
    words: [],
    people: [user_id],
    what: undefined,
    since: undefined,
    until: undefined,
  }
  const rows = await store.findEntries(tx, wanted, { descending: true, place: undefined, limit: most })
  return rows.slice(0, most).map(({ action, target, metadata, network, created_at }) => ({
    action,
    target,
    details: detailsOf(metadata),
    network,
    date_created: created_at.toISOString(),
  }))
}
