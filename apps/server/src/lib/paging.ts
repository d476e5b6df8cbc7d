import type { Page } from '@plinth/contract'
import { Refusal } from './refusal.ts'

/** Totals are counted up to this: an exact larger number is not worth its cost. */
export const countedTo = 1000

/** A place between two rows: the one it was made of, which is named by what the list is sorted by and by its id. */
export type Place = {
  value: string
  id: string
  /** Number of the first row after it, counted from 1. */
  start: number
  /** The page that ends here, not the one that begins. */
  back: boolean
}

const encode = ({ value, id, start, back }: Place) =>
  Buffer.from(JSON.stringify([value, id, start, back])).toString('base64url')

/**
 * Where a page begins or ends; undefined for the first one. A cursor that we did not make is refused.
 * @param isValue whether the list can be sorted by such a value
 */
export function placeOf(
  cursor: string | undefined,
  isValue: (value: string) => boolean = () => true,
): Place | undefined {
  if (cursor === undefined) return undefined
  const parts = parsed(cursor)
  const [value, id, start, back] = Array.isArray(parts) ? parts : []
  const sound =
    typeof value === 'string' &&
    isValue(value) &&
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(id)) &&
    Number.isSafeInteger(start) &&
    start > 0 &&
    typeof back === 'boolean'
  if (!sound) throw new Refusal('invalid_input', { field: 'cursor' })
  return { value, id, start, back }
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null // not JSON, so not a cursor of ours
  }
}

/** The rows a store reads for a page: `limit` and one more, after `place`, or before it when it says `back`. */
export type Part = { place: Place | undefined; limit: number }

/** In which order a store reads the rows of a part, and on which side of its place they are. */
export function scanOf(descending: boolean, place: Place | undefined) {
  const isDescending = descending !== (place?.back ?? false)
  return isDescending ? ({ order: 'desc', beyond: '<' } as const) : ({ order: 'asc', beyond: '>' } as const)
}

/**
 * Reads one page of a list.
 * @param list `isValue`: whether the list can be sorted by a cursor's value; `read`: up to one row more than the page
 * has; `count`: all rows, counted no further than `countedTo`; `keyOf`: what a row is sorted by, and its id
 */
export async function readPage<Row>(
  { cursor, limit }: { cursor: string | undefined; limit: number },
  list: {
    isValue?: (value: string) => boolean
    read: (part: Part) => Promise<Row[]>
    count: (read: readonly Row[], part: Part) => Promise<number>
    keyOf: (row: Row) => { value: string; id: string }
  },
): Promise<{ rows: Row[]; page: Page }> {
  const part = { place: placeOf(cursor, list.isValue), limit }
  const read = await list.read(part)
  const counted = await list.count(read, part)
  return pageOf(read, { ...part, counted }, list.keyOf)
}

/**
 * Cuts a page out of the rows that a store has read: up to one more than the page has, after its place or backwards from
 * its end.
 * @param nameOf what a row is sorted by, and its id
 */
export function pageOf<R>(
  read: readonly R[],
  { place, limit, counted }: { place: Place | undefined; limit: number; counted: number },
  nameOf: (row: R) => { value: string; id: string },
): { rows: R[]; page: Page } {
  const back = place?.back ?? false
  const more = read.length > limit
  const rows = read.slice(0, limit)
  if (back) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  // Rows added or deleted since the cursor was made shift the numbers; the first page always starts with 1.
  const before = back ? Math.max(place ? place.start - rows.length : 1, 1) : (place?.start ?? 1)
  const start = rows.length === 0 ? 0 : back && !more ? 1 : before
  const hasPrevious = back ? more : place !== undefined
  const hasNext = back ? rows.length > 0 : more
  return {
    rows,
    page: {
      start,
      total: counted > countedTo ? null : counted,
      previous: hasPrevious && first ? encode({ ...nameOf(first), start, back: true }) : null,
      next: hasNext && last ? encode({ ...nameOf(last), start: start + rows.length, back: false }) : null,
    },
  }
}
