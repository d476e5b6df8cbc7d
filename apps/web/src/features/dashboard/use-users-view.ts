import { navigate, useQuery } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import type { Sort, TableView } from '../../ui/table/table-view.ts'

type UsersView = { search: string; sort: Sort; page: number }

/** The order of the server: newest first. */
const defaultSort: Sort = { key: 'date_joined', down: true }

/** Search, order and page are in the URL, so that reload, Back and a shared link show the same rows. */
function readView(query: string): UsersView {
  const given = new URLSearchParams(query)
  const sort = /^(-?)(\w+)$/.exec(given.get('sort') ?? '')
  const page = Number(given.get('page') ?? 1)
  return {
    search: given.get('search') ?? '',
    sort: sort?.[2] ? { key: sort[2], down: sort[1] === '-' } : defaultSort,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

function usersUrl({ search, sort, page }: UsersView): string {
  const isDefault = sort.key === defaultSort.key && sort.down === defaultSort.down
  return withQuery(paths.dashboard, {
    search,
    sort: isDefault ? null : `${sort.down ? '-' : ''}${sort.key}`,
    page: page > 1 ? String(page) : null,
  })
}

export function useUsersView() {
  const view = readView(useQuery())
  return {
    view,
    /** Replaces the history entry, so that Back does not undo letter by letter. */
    search: (search: string) => navigate(usersUrl({ ...view, search, page: 1 }), { replace: true }),
    arrange: ({ sort }: TableView) => navigate(usersUrl({ ...view, sort: sort ?? defaultSort, page: 1 })),
    turnTo: (page: number) => navigate(usersUrl({ ...view, page })),
  }
}
