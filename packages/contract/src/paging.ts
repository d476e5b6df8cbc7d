import { z } from 'zod'
import { queryInteger, safeText } from './fields.ts'

/** Maximum and default number of rows of a page. */
export const pageSize = 100

/** Query fields of every paged list. `sort` names a column; a minus before it sorts in descending order. */
export function paging<const S extends string>(sorts: readonly [S, ...S[]]) {
  const ways = sorts.flatMap(sort => [sort, `-${sort}`] as const) as [S | `-${S}`, ...(S | `-${S}`)[]] // as: flatMap forgets that there is a first
  return {
    search: safeText(100).optional().meta({ description: 'Only rows that contain every word.' }),
    sort: z
      .enum(ways, { error: 'form.invalid' })
      .optional()
      .meta({ description: `One of ${ways.join(', ')}; a minus sorts in descending order.` }),
    cursor: safeText(4000)
      .optional()
      .meta({ description: 'Cursor of the page: `previous` or `next` of another page.' }),
    limit: queryInteger(1, pageSize)
      .optional()
      .meta({ description: `Rows of a page, 1 to ${pageSize}. Default: ${pageSize}.` }),
  }
}
export type Paging = { search?: string; sort?: string; cursor?: string; limit?: number }

/** Sent beside `data`: the position of the page in the list. */
export const page = z
  .object({
    start: z.int().meta({ description: 'Number of the first row, counted from 1; 0 for an empty list.' }),
    total: z.int().nullable().meta({ description: 'Number of rows; null for more than 1,000.' }),
    previous: z.string().nullable().meta({ description: 'Cursor of the previous page.' }),
    next: z.string().nullable().meta({ description: 'Cursor of the next page.' }),
  })
  .meta({ id: 'Page', examples: [{ start: 1, total: 1, previous: null, next: null }] })
export type Page = z.infer<typeof page>
