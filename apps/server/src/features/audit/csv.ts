import type { AuditEntry } from '@plinth/contract'
import type { AuthedContext } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import type { Place } from '../../lib/paging.ts'
import { cursorOf, entriesOf, type Filters, toStoreFilters } from './list.ts'
import { csvLine } from './rules.ts'
import { findEntries } from './store.ts'

const columns = ['time', 'name', 'email', 'action', 'target', 'details', 'network'] as const
/** Entries of one query. Each query is its own transaction, so that a slow download holds none open. */
const piece = 1000

/** Exports the entries, newest first, and records the export in the audit log. */
export async function exportCsv(ctx: AuthedContext, filters: Filters): Promise<AsyncIterable<string>> {
  const { account_id, user_id } = ctx.actor
  // Entries written during the export, including the one about it, are left out.
  const begun = ctx.now()
  const until = filters.until && new Date(filters.until) < begun ? filters.until : begun.toISOString()
  await ctx.within(tx =>
    recordAudit(ctx, tx, {
      account_id,
      user_id,
      action: 'export.audit_log',
      target: account_id,
      metadata: filters.what ? { what: filters.what } : {},
      network: ctx.request.network,
    }),
  )
  return linesOf(ctx, { ...filters, until })
}

async function* linesOf(ctx: AuthedContext, filters: Filters) {
  // Without a byte order mark spreadsheets assume another encoding.
  yield `\ufeff${csvLine(columns)}`
  let place: Place | undefined
  for (let more = true; more; ) {
    const read = await ctx.within(async tx => {
      const wanted = await toStoreFilters(ctx, tx, filters)
      const rows = await findEntries(tx, wanted, { descending: true, place, limit: piece })
      const shown = rows.slice(0, piece)
      return { entries: await entriesOf(ctx, tx, shown), last: shown.at(-1), more: rows.length > piece }
    })
    more = read.more
    if (read.last) place = { ...cursorOf(read.last), start: 1, back: false }
    if (read.entries.length) yield read.entries.map(lineOf).join('')
  }
}

function lineOf({ date_created, name, email, action, target, details, network }: AuditEntry): string {
  const said = Object.entries(details).map(([what, value]) => `${what}: ${value}`)
  return csvLine([date_created, name ?? '', email ?? '', action, target, said.join('; '), network ?? ''])
}
