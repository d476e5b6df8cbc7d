import { QueryCache, QueryClient, useQuery } from '@tanstack/react-query'
import { dismiss } from '../../ui/overlay/toast.ts'
import { session } from '../session/store.ts'
import type { Answer } from '../api/client.ts'
import { ApiError, NoAnswer } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'

/** The toasts that tell which reading failed. */
const told = new Map<string, string | null>()

/**
 * Reading for screens. Only lazily loaded screens and layouts import this file: the sign-in page must not carry
 * the query library. There is one client for the whole page, so no provider is needed.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (refusalAt(error, query.meta?.field) !== undefined) return
      if (query.meta?.inPlace && refusedWith(error)) return
      // A refresh behind data that is shown fails in silence; the next one will tell.
      if (query.state.data === undefined) told.set(query.queryHash, handleFailure(error))
    },
    // What is repaired is complained of no longer.
    onSuccess: (_data, { queryHash }) => {
      const complaint = told.get(queryHash)
      told.delete(queryHash)
      if (complaint) dismiss(complaint)
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

// Without a provider nothing else listens for the window coming back, or the network.
queries.mount()

// Another user or account must never see what was read for the last one.
let reader = session.get()?.token
session.subscribe(() => {
  const now = session.get()?.token
  if (now !== reader) queries.clear()
  reader = now
})

type Reader<I, T> = ((input?: I) => Promise<Answer<T>>) & { readonly id: string }
type PageReader<I, T> = ((input: I) => Promise<Answer<T>>) & { readonly id: string }
type Sent = { query?: unknown; params?: unknown }

const keyOf = (call: { id: string }, { query, params }: Sent = {}) => [call.id, params ?? null, query ?? null]

type Answered<T> = {
  data: T | undefined
  loading: boolean
  failed: boolean
  /** What the server says against the field that the screen shows it at. */
  refusal: string | undefined
  /** Why the server refuses, where the screen shows that in place of the answer. */
  refused: Refused | undefined
  retry: () => void
}
export type Refused = {
  message: string
  /** The same request can succeed later, as after too many of them. */
  canRetry: boolean
}
type Options = {
  /** A refusal of this field is left to the screen, which shows it there. */
  field?: string
  /** An expected refusal is left to the screen, which shows `refused`. */
  inPlace?: boolean
  /** Each request counts against a limit: coming back to the window asks again only after some minutes. */
  limited?: boolean
  /** Asked again whenever the screen opens or its window comes back: a price that somebody is about to pay. */
  fresh?: boolean
}

/** At most twelve requests an hour, of the thirty that the server lets a user look up codes. */
const limitedStaleMs = 300_000

/** A refusal is not asked for again by itself. */
const hasAnswer = ({ state }: { state: { status: string } }) => state.status === 'success'

const refusalAt = (error: unknown, field: unknown): string | undefined =>
  error instanceof ApiError && field !== undefined && error.inputError === field ? error.message : undefined

/** Not what leads to another page, such as a sign-in that is needed. */
function refusedWith(error: unknown): Refused | undefined {
  if (!(error instanceof ApiError) || !error.message) return undefined
  const { status, code, message } = error
  if (status === 429) return { message, canRetry: true }
  return code && (status === 409 || status === 422) ? { message, canRetry: false } : undefined
}

/**
 * What a GET answers, cached: `const { data, loading, failed, retry } = useApi(api.dashboard.demo)`.
 * A failure goes to the general handler and leaves `data` undefined. With `null` nothing is asked yet.
 */
export function useApi<T, I extends Sent = Sent>(
  call: Reader<I, T>,
  input?: I | null,
  options?: Options,
): Answered<T>
export function useApi<T, I extends Sent>(
  call: PageReader<I, T>,
  input: I | null,
  options?: Options,
): Answered<T>
export function useApi<T, I extends Sent>(
  call: PageReader<I, T>,
  input?: I | null,
  { field, inPlace = false, limited = false, fresh = false }: Options = {},
): Answered<T> {
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
 * The same for a part of a list: with the page that it is, and with the rows of before until the next ones are there.
 * `refresh(call)` reads every part of it again.
 */
export function usePage<T, I extends Sent>(call: PageReader<I, T>, input: I) {
  const searched = Boolean((input.query as { search?: string } | undefined)?.search) // as: a list may be searched
  const answer = useQuery<Pick<Answer<T>, 'data' | 'page'>>(
    {
      queryKey: [...keyOf(call, input), 'page'],
      queryFn: async ({ signal }) => {
        const ask = (sent: object) => call({ ...sent, signal } as unknown as I) // as: the signal is an option of every call
        const { data, page } = await ask(input).catch(error => {
          // A place that an old address names, or half of one, is none any more: the list begins anew.
          if (!(error instanceof ApiError) || error.inputError !== 'cursor') throw error
          return ask({ ...input, query: { ...(input.query as object), cursor: undefined } }) // as: it holds the cursor
        })
        return { data, page }
      },
      // That a search found nothing says nothing about the whole list, which would seem to be empty.
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

/** Puts a newer answer in place of what was read, for example the reply of a PATCH. */
export function putAnswer<T>(call: PageReader<never, T>, data: T, input?: Sent): void {
  queries.setQueryData(keyOf(call, input), data)
}

/** What was read last, as the screens show it. */
export const readAnswer = <T>(call: Reader<never, T>): T | undefined => queries.getQueryData<T>(keyOf(call))

/** Changes what was read before the server has confirmed it; `refresh` afterwards brings the truth. */
export function changeAnswer<T>(call: Reader<never, T>, change: (data: T) => T): void {
  queries.setQueryData<T>(keyOf(call), data => data && change(data))
}

/** Reads again whatever these calls have answered, after something changed on the server. */
export function refresh(...calls: ReadonlyArray<{ id: string }>): void {
  for (const call of calls) void queries.invalidateQueries({ queryKey: [call.id] })
}
