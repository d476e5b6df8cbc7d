import { z } from 'zod'
import { auditAreas } from '../audit-actions.ts'
import { endpoints } from '../endpoint.ts'
import { time } from '../fields.ts'
import { paging } from '../paging.ts'

const { search, sort, cursor, limit } = paging(['date_created'])
const moment = z.iso.datetime({ error: 'form.invalid' })

/** Used by the screen and by the CSV file. */
const filters = {
  search: search.meta({ description: 'Only actions of members whose name or address contains every word.' }),
  what: z
    .enum(auditAreas, { error: 'form.invalid' })
    .optional()
    .meta({ description: 'Only actions of this area: the part of `action` before the dot.' }),
  since: moment.optional().meta({ description: 'Only entries at or after this time.' }),
  until: moment.optional().meta({ description: 'Only entries before this time.' }),
}

const entry = z
  .object({
    id: z.uuid(),
    action: z.string().meta({
      description: 'The action, as `area.verb`.',
      examples: ['member.role_changed'],
    }),
    who: z.enum(['member', 'former', 'gone', 'product']).meta({
      description:
        '`former`: has left the account. `gone`: the user was closed. `product`: the product itself, for example when a plan ends.',
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'Name of the actor. For `gone`, a label that is the same in all entries of that user and does not identify them.',
        examples: ['Inês Carvalho'],
      }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Address of a member; null for others.', examples: ['ines@northquay.example'] }),
    avatar: z.string().nullable(),
    target: z.string().meta({ description: 'Id or name of the object of the action.' }),
    details: z.record(z.string(), z.string()).meta({
      description: 'Further details; the keys depend on the action.',
      examples: [{ email: 'jonas@northquay.example', from: 'user', to: 'admin' }],
    }),
    network: z
      .string()
      .nullable()
      .meta({ description: 'The first parts of the IP address.', examples: ['203.0.113.x'] }),
    date_created: time,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof entry>

export const audit = endpoints({
  list: {
    method: 'GET',
    path: '/api/account/audit',
    summary: 'Lists actions in the account, the newest first. `page` has the cursors of the other pages.',
    needs: 'admin',
    paged: true,
    query: z.strictObject({ ...filters, sort, cursor, limit }),
    reply: z.array(entry),
  },
  csv: {
    method: 'POST',
    path: '/api/account/audit/csv',
    summary:
      'Exports all matching entries as a CSV file, the newest first. The export is recorded in the audit log.',
    needs: 'admin',
    limit: 'export',
    download: 'text/csv',
    body: z.strictObject(filters),
    reply: z.string().meta({
      description:
        'UTF-8 with a byte order mark; a header line, then one line for each entry. Text that a spreadsheet would run as a formula starts with an apostrophe.',
    }),
  },
})
