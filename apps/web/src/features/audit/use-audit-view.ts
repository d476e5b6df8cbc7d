import { type AuditArea, auditAreas } from '@plinth/contract/audit-actions'
import { navigate, useQuery } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'

type View = {
  search: string
  what: AuditArea | null
  /** Days as the date inputs give them; the last day is included. */
  since: string
  until: string
  oldestFirst: boolean
  cursor: string | null
}

export const isDay = (value: string | null) =>
  /^20\d\d-\d\d-\d\d$/.test(value ?? '') && !Number.isNaN(Date.parse(value ?? ''))
const dayOf = (value: string | null) => (value && isDay(value) ? value : '')

/** Filters and page are in the URL, so that reload, Back and a shared link show the same entries. */
function readView(query: string): View {
  const given = new URLSearchParams(query)
  return {
    search: (given.get('search') ?? '').slice(0, 100),
    what: auditAreas.find(area => area === given.get('what')) ?? null,
    since: dayOf(given.get('since')),
    until: dayOf(given.get('until')),
    oldestFirst: given.get('sort') === 'date_created',
    cursor: given.get('cursor'),
  }
}

const auditUrl = ({ oldestFirst, ...view }: View) =>
  withQuery(paths.audit, { ...view, sort: oldestFirst ? 'date_created' : null })

/** Midnight in the user's time zone. */
function startOf(day: string, later = 0): string {
  const at = new Date(`${day}T00:00:00`)
  at.setDate(at.getDate() + later)
  return at.toISOString()
}

/** The filters as the server expects them, for the list and the export. */
const filtersOf = ({ search, what, since, until }: View) => ({
  ...(search && { search }),
  ...(what && { what }),
  ...(since && { since: startOf(since) }),
  ...(until && { until: startOf(until, 1) }),
})

export function useAuditView() {
  const view = readView(useQuery())
  const updateUrl = (change: Partial<View>, replace = false) =>
    navigate(auditUrl({ ...view, cursor: null, ...change }), { replace })
  return {
    view,
    filters: filtersOf(view),
    filtered: Boolean(view.search || view.what || view.since || view.until),
    /** `since` is after `until`, so no entry can match. */
    datesReversed: Boolean(view.since && view.until && view.since > view.until),
    /** Replaces the history entry, so that Back does not undo letter by letter. */
    type: (change: Pick<Partial<View>, 'search' | 'since' | 'until'>) => updateUrl(change, true),
    choose: (what: AuditArea | null) => updateUrl({ what }),
    reverseOrder: () => updateUrl({ oldestFirst: !view.oldestFirst }),
    turnTo: (cursor: string) => updateUrl({ cursor }),
    clear: () => navigate(paths.audit),
  }
}
export type AuditView = ReturnType<typeof useAuditView>
