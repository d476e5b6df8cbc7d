import { QueryCache, QueryClient, useQuery } from '@tanstack/react-query'
import { dismiss } from '../../ui/overlay/toast.ts'
import { session } from '../session/store.ts'
import type { Answer } from '../api/client.ts'
import { ApiError, NoAnswer } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'

/** Ids of the error toasts, by query. */
const errorToasts = new Map<string, string | null>()

/**
 * Data fetching for screens. Only lazily loaded screens and layouts may import this file, so that the sign-in
 * page does not load the query library. All components share one client, so no provider is needed.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (refusalAt(error, query.meta?.field) !== undefined) return
      if (query.meta?.inPlace && refusedWith(error)) return
      // A failed background refresh stays silent while older data is shown.
      if (query.state.data === undefined) errorToasts.set(query.queryHash, handleFailure(error))
    },
    // Closes the error toast when a retry succeeds.
    onSuccess: (_data, { queryHash }) => {
      const toastId = errorToasts.get(queryHash)
      errorToasts.delete(queryHash)
      if (toastId) dismiss(toastId)
    },
  }),
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof NoAnswer && count < 1,
      retryDelay: 300,
      staleTime: 10_000,
    },
  },
})

// Without a provider, the client itself must listen for focus and network events.
queries.mount()

// Clears the cache when the user or the account changes.
let lastToken = session.get()?.token
session.subscribe(() => {
  const now = session.get()?.token
  if (now !== lastToken) queries.clear()
  lastToken = now
})

type Reader<I, T> = ((input?: I) => Promise<Answer<T>>) & { readonly id: string }
type PageReader<I, T> = ((input: I) => Promise<Answer<T>>) & { readonly id: string }
type RequestInput = { query?: unknown; params?: unknown }

const keyOf = (call: { id: string }, { query, params }: RequestInput = {}) => [call.id, params ?? null, query ?? null]

type QueryResult<T> = {
  data: T | undefined
  loading: boolean
  failed: boolean
  /** The server's message for the field given in `field`. */
  refusal: string | undefined
  /** A refusal that the screen shows in place of the data; requires `inPlace`. */
  refused: Refused | undefined
  retry: () => void
}
export type Refused = {
  message: string
  /** The same request can succeed later, for example after a rate limit. */
  canRetry: boolean
}
type Options = {
  /** The screen shows refusals of this field itself, as `refusal`. */
  field?: string
  /** The screen shows expected refusals itself, as `refused`. */
  inPlace?: boolean
  /** The endpoint has a rate limit: refetch on focus only after some minutes. */
  limited?: boolean
  /** Refetch on every mount and focus, for example a price shown before payment. */
  fresh?: boolean
}

/** At most 12 requests an hour; the server allows a user 30 lookups of promotion codes. */
const limitedStaleMs = 300_000

/** A refused request is not repeated automatically. */
const hasAnswer = ({ state }: { state: { status: string } }) => state.status === 'success'

const refusalAt = (error: unknown, field: unknown): string | undefined =>
  error instanceof ApiError && field !== undefined && error.inputError === field ? error.message : undefined

/** Ignores errors that lead to another page, such as an ended session. */
function refusedWith(error: unknown): Refused | undefined {
  if (!(error instanceof ApiError) || !error.message) return undefined
  const { status, code, message } = error
  if (status === 429) return { message, canRetry: true }
  return code && (status === 409 || status === 422) ? { message, canRetry: false } : undefined
}

/**
 * Cached data of a GET: `const { data, loading, failed, retry } = useApi(api.dashboard.demo)`. Failures go to
 * handleFailure and leave `data` undefined. An input of `null` sends no request.
 */
export function useApi<T, I extends RequestInput = RequestInput>(
  call: Reader<I, T>,
  input?: I | null,
  options?: Options,
): QueryResult<T>
export function useApi<T, I extends RequestInput>(
  call: PageReader<I, T>,
  input: I | null,
  options?: Options,
): QueryResult<T>
export function useApi<T, I extends RequestInput>(
  call: PageReader<I, T>,
  input?: I | null,
  { field, inPlace = false, limited = false, fresh = false }: Options = {},
): QueryResult<T> {
  const answer = useQuery(
    {
      enabled: input !== null,
      queryKey: keyOf(call, input ?? undefined),
      meta: { field, inPlace },
      ...(fresh && { staleTime: 0 }),
      ...(limited && { staleTime: limitedStaleMs }),
      refetchOnWindowFocus: fresh ? 'always' : limited ? hasAnswer : true,
      refetchOnReconnect: !limited,
      queryFn: async ({ signal }) => (await call({ ...input, signal } as unknown as I)).data, // as: the signal is an option of every call
    },
    queries,
  )
  return {
    data: answer.data,
    loading: answer.isPending,
    failed: answer.isError,
    refusal: refusalAt(answer.error, field),
    refused: inPlace ? refusedWith(answer.error) : undefined,
    retry: () => void answer.refetch(),
  }
}

/**
 * useApi for one page of a list: also returns the page info, and keeps the previous rows while the next page
 * loads. `refresh(call)` refetches all its pages.
 */
export function usePage<T, I extends RequestInput>(call: PageReader<I, T>, input: I) {
  const searched = Boolean((input.query as { search?: string } | undefined)?.search) // as: a list may be searched
  const answer = useQuery<Pick<Answer<T>, 'data' | 'page'>>(
    {
      queryKey: [...keyOf(call, input), 'page'],
      queryFn: async ({ signal }) => {
        const request = (sent: object) => call({ ...sent, signal } as unknown as I) // as: the signal is an option of every call
        const { data, page } = await request(input).catch(error => {
          // An outdated or broken cursor in the URL: load the first page instead.
          if (!(error instanceof ApiError) || error.inputError !== 'cursor') throw error
          return request({ ...input, query: { ...(input.query as object), cursor: undefined } }) // as: it holds the cursor
        })
        return { data, page }
      },
      // Keep no empty search result as placeholder: the whole list would seem to be empty.
      placeholderData: before => (before?.page?.start === 0 && !searched ? undefined : before),
    },
    queries,
  )
  return {
    data: answer.data?.data,
    page: answer.data?.page,
    failed: answer.isError,
    retry: () => void answer.refetch(),
  }
}

/** Replaces cached data, for example with the reply of a PATCH. */
export function putAnswer<T>(call: PageReader<never, T>, data: T, input?: RequestInput): void {
  queries.setQueryData(keyOf(call, input), data)
}

/** The cached data of a call. */
export const readAnswer = <T>(call: Reader<never, T>): T | undefined => queries.getQueryData<T>(keyOf(call))

/** Optimistic update: changes cached data before the server confirms it. Call `refresh` afterwards. */
export function changeAnswer<T>(call: Reader<never, T>, change: (data: T) => T): void {
  queries.setQueryData<T>(keyOf(call), data => data && change(data))
}

/** Refetches the data of these calls after a change on the server. */
export function refresh(...calls: ReadonlyArray<{ id: string }>): void {
  for (const call of calls) void queries.invalidateQueries({ queryKey: [call.id] })
}
