import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { refresh, useApi, usePage } from '../../lib/data/query.ts'
import { navigate, useQuery, useQueryValue } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import type { TableView } from '../../ui/table/table-view.ts'

const PER_PAGE = 20

type KeysView = { search: string; sort: 'name' | '-name' | undefined; cursor: string | undefined }

/** Search, order and page are in the URL, so that reload, Back and a shared link show the same rows. */
function readView(query: string): KeysView {
  const given = new URLSearchParams(query)
  const sort = given.get('sort')
  return {
    search: given.get('search') ?? '',
    sort: sort === 'name' || sort === '-name' ? sort : undefined,
    cursor: given.get('cursor') ?? undefined,
  }
}

/** Cuts a pasted secret to the part that the list shows, to keep it out of the URL. */
const withoutSecret = (search: string) => search.replace(/plinth_\w+/g, key => key.slice(0, 16)).slice(0, 100)

const keysUrl = ({ search, sort, cursor }: KeysView) => withQuery(paths.apiKeys, { search, sort, cursor })

export function useKeysView() {
  const view = readView(useQuery())
  return {
    search: view.search,
    table: {
      search: view.search,
      sort: view.sort ? { key: 'name', down: view.sort === '-name' } : null,
    } satisfies TableView,
    query: {
      limit: String(PER_PAGE),
      ...(view.search && { search: view.search }),
      ...(view.sort && { sort: view.sort }),
      ...(view.cursor && { cursor: view.cursor }),
    },
    /** Replaces the history entry, so that Back does not undo letter by letter. */
    find: (search: string) =>
      navigate(keysUrl({ ...view, search: withoutSecret(search), cursor: undefined }), { replace: true }),
    arrange: ({ sort }: TableView) =>
      navigate(
        keysUrl({ ...view, sort: sort ? (sort.down ? '-name' : 'name') : undefined, cursor: undefined }),
      ),
    turnTo: (cursor: string) => navigate(keysUrl({ ...view, cursor })),
  }
}

export const useKeys = (query: ReturnType<typeof useKeysView>['query']) =>
  usePage(api.apiKeys.list, { query })
export const useAllowance = () => useApi(api.apiKeys.allowance)
export const useScopes = () => useApi(api.apiKeys.scopes)

/** An unknown id gives no key instead of an error. */
const readKey = Object.assign(
  async (input: { params: { id: string } } = { params: { id: '' } }) => {
    if (!input.params.id) return { data: [], message: undefined }
    return api.apiKeys.read(input).catch(error => {
      const unknown = error instanceof ApiError && (error.status === 404 || error.inputError === 'id')
      if (unknown) return { data: [], message: undefined }
      throw error
    })
  },
  { id: api.apiKeys.read.id },
)
export const useKey = (id: string) => useApi(readKey, { params: { id } })

export const useKeyId = (): string => useQueryValue('id') ?? ''

/** Refetches every query that shows keys. */
export const refreshKeys = () => refresh(api.apiKeys.list, api.apiKeys.read, api.apiKeys.allowance)
