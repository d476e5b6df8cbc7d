import { z } from 'zod'
import { auditAreas } from './audit-actions.ts'
import { endpoints } from './endpoint.ts'
import { time } from './fields.ts'
import { paging } from './paging.ts'

const { search, sort, cursor, limit } = paging(['date_created'])
const moment = z.iso.datetime({ error: 'form.invalid' })

/** Which entries: the same for the screen and for the file. */
const filters = {
  search: search.meta({ description: 'Only what members did whose name or address has every word.' }),
  what: z
    .enum(auditAreas, { error: 'form.invalid' })
    .optional()
    .meta({ description: 'Only what is about this: the part of `action` before the dot.' }),
  since: moment.optional().meta({ description: 'Only from this moment on.' }),
  until: moment.optional().meta({ description: 'Only before this moment.' }),
}

const entry = z
  .object({
    id: z.uuid(),
    action: z.string().meta({
      description: 'What was done, as `about.done`.',
      examples: ['member.role_changed'],
    }),
    who: z.enum(['member', 'former', 'gone', 'product']).meta({
      description:
        '`former`: no longer in the account. `gone`: whose user was closed since. `product`: nobody, as when a plan ends.',
    }),
    name: z
      .string()
      .nullable()
      .meta({
        description:
          'Of whoever did it. Of somebody `gone` a label that is the same in every entry about them and leads to nobody.',
        examples: ['Inês Carvalho'],
      }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Of a member.', examples: ['ines@northquay.example'] }),
    avatar: z.string().nullable(),
    target: z.string().meta({ description: 'What it was done to: an id or a name.' }),
    details: z.record(z.string(), z.string()).meta({
      description: 'What is to be said about it, by kind of entry.',
      examples: [{ email: 'jonas@northquay.example', from: 'user', to: 'admin' }],
    }),
    network: z
      .string()
      .nullable()
      .meta({ description: 'Coarse: the first parts of the address.', examples: ['203.0.113.x'] }),
    date_created: time,
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof entry>

export const audit = endpoints({
  list: {
    method: 'GET',
    path: '/api/account/audit',
    summary: 'Who did what in the account, the newest first, a page at a time; `page` leads on.',
    needs: 'admin',
    paged: true,
    query: z.strictObject({ ...filters, sort, cursor, limit }),
    reply: z.array(entry),
  },
  csv: {
    method: 'POST',
    path: '/api/account/audit/csv',
    summary:
      'The same entries as a file for a spreadsheet, all of them, the newest first. Written into the audit log.',
    needs: 'admin',
    limit: 'export',
    download: 'text/csv',
    body: z.strictObject(filters),
    reply: z.string().meta({
      description:
        'UTF-8 with a byte order mark; a line with the names of the columns, then one for each entry. What a spreadsheet would take for a formula begins with an apostrophe.',
    }),
  },
})
