import { navigate, useQuery } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import type { Sort, TableView } from '../../ui/table/table-view.ts'

export type Status = 'verified' | 'registered' | 'invited'
export const statuses = ['verified', 'registered', 'invited'] as const satisfies readonly Status[]
const sorts = ['name', 'email', 'last_login', 'permission', 'status'] as const
type SortKey = (typeof sorts)[number]
type Way = SortKey | `-${SortKey}`

type TeamView = { search: string; sort: Sort; way: Way; status: Status | null; cursor: string | null }

/**
 * Search, order, filter and page are in the URL, so that reload, Back and a shared link show the same rows.
 */
function readView(query: string): TeamView {
  const given = new URLSearchParams(query)
  const sort = given.get('sort') ?? 'name'
  const down = sort.startsWith('-')
  const key = sorts.find(one => one === sort.replace(/^-/, '')) ?? 'name'
  return {
    search: (given.get('search') ?? '').slice(0, 100),
    sort: { key, down },
    way: down ? `-${key}` : key,
    status: statuses.find(one => one === given.get('status')) ?? null,
    cursor: given.get('cursor'),
  }
}

function addressOf({ search, sort, status, cursor }: Omit<TeamView, 'way'>): string {
  const isDefault = sort.key === 'name' && !sort.down
  return withQuery(paths.users, {
    search,
    sort: isDefault ? null : `${sort.down ? '-' : ''}${sort.key}`,
    status,
    cursor,
  })
}

export function useTeamView() {
  const view = readView(useQuery())
  return {
    view,
    /** Replaces the history entry, so that Back does not undo letter by letter. */
    search: (search: string) =>
      navigate(addressOf({ ...view, search: search.slice(0, 100), cursor: null }), { replace: true }),
    arrange: ({ sort }: TableView) =>
      navigate(addressOf({ ...view, sort: sort ?? { key: 'name', down: false }, cursor: null })),
    filter: (status: Status | null) => navigate(addressOf({ ...view, status, cursor: null })),
    turnTo: (cursor: string) => navigate(addressOf({ ...view, cursor })),
  }
}
