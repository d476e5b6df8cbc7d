import { z } from 'zod'
import { queryInteger, safeText } from './fields.ts'

/** Rows of a page at most, and where a caller does not say. */
export const pageSize = 100

/** What every paged list takes in its query. `sort` names a column; with a minus it goes down. */
export function paging<const S extends string>(sorts: readonly [S, ...S[]]) {
  const ways = sorts.flatMap(sort => [sort, `-${sort}`] as const) as [S | `-${S}`, ...(S | `-${S}`)[]] // as: flatMap forgets that there is a first
  return {
    search: safeText(100).optional().meta({ description: 'Only rows that have every word.' }),
    sort: z
      .enum(ways, { error: 'form.invalid' })
      .optional()
      .meta({ description: `One of ${ways.join(', ')}; a minus turns it around.` }),
    cursor: safeText(4000)
      .optional()
      .meta({ description: 'Of the page to read: `previous` or `next` of another one, as it was given.' }),
    limit: queryInteger(1, pageSize)
      .optional()
      .meta({ description: `Rows of a page, 1 to ${pageSize}; ${pageSize} without it.` }),
  }
}
export type Paging = { search?: string; sort?: string; cursor?: string; limit?: number }

/** Beside `data`: which part of the list it is. */
export const page = z
  .object({
    start: z.int().meta({ description: 'Number of the first row, counted from 1; 0 when there is none.' }),
    total: z.int().nullable().meta({ description: 'How many there are; null for more than 1,000.' }),
    previous: z.string().nullable().meta({ description: 'Cursor of the page before this one.' }),
    next: z.string().nullable().meta({ description: 'Cursor of the page after this one.' }),
  })
  .meta({ id: 'Page', examples: [{ start: 1, total: 1, previous: null, next: null }] })
export type Page = z.infer<typeof page>
