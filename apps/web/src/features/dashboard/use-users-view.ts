import { navigate, useQuery } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import type { Sort, TableView } from '../../ui/table/table-view.ts'

type UsersView = { search: string; sort: Sort; page: number }

/** Newest first, as the server lists them. */
const usual: Sort = { key: 'date_joined', down: true }

/** Search, sort and page stand in the address: a reload, the back button and a shared link show the same rows. */
function readView(query: string): UsersView {
  const given = new URLSearchParams(query)
  const sort = /^(-?)(\w+)$/.exec(given.get('sort') ?? '')
  const page = Number(given.get('page') ?? 1)
  return {
    search: given.get('search') ?? '',
    sort: sort?.[2] ? { key: sort[2], down: sort[1] === '-' } : usual,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

function addressOf({ search, sort, page }: UsersView): string {
  const isUsual = sort.key === usual.key && sort.down === usual.down
  return withQuery(paths.dashboard, {
    search,
    sort: isUsual ? null : `${sort.down ? '-' : ''}${sort.key}`,
    page: page > 1 ? String(page) : null,
  })
}

export function useUsersView() {
  const view = readView(useQuery())
  return {
    view,
    /** Letters are no steps to go back over. */
    search: (search: string) => navigate(addressOf({ ...view, search, page: 1 }), { replace: true }),
    arrange: ({ sort }: TableView) => navigate(addressOf({ ...view, sort: sort ?? usual, page: 1 })),
    turnTo: (page: number) => navigate(addressOf({ ...view, page })),
  }
}
