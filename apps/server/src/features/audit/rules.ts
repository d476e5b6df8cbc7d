import type { AuditEntry } from '@plinth/contract'
import type { AuditAction } from '@plinth/contract/audit-actions'

const aboutInvites = new Set<string>([
  'invite.expired',
  'invite.sent',
  'invite.withdrawn',
] satisfies AuditAction[])
const aboutMembers = new Set<string>([
  'member.changed',
  'member.created',
  'member.removed',
  'member.role_changed',
  'member.signed_out',
  'owner.added',
  'owner.transferred',
] satisfies AuditAction[])
const bySupport = new Set<string>(['support.link_made', 'support.session_began'] satisfies AuditAction[])

/** What is noted of an entry as words alone, which is what a screen and a spreadsheet can show. */
export function detailsOf(metadata: unknown): AuditEntry['details'] {
  if (metadata === null || typeof metadata !== 'object') return {}
  const words = Object.entries(metadata).map(([name, value]) => [name, wordOf(value)] as const)
  return Object.fromEntries(words.filter(([, word]) => word !== ''))
}

/**
 * Short and the same for all that one person did, which is all that may be told of somebody whose user was closed. The
 * end of the id: it begins with the time.
 */
export const labelOf = (id: string | null) => id?.slice(-6).toUpperCase() ?? ''

/**
 * Whom an entry names, in the place of an address that was forgotten since. An entry about an invite leads to the
 * invite, and so to nobody in particular.
 */
export function namedIn(
  { action, target }: Pick<AuditEntry, 'action' | 'target'>,
  gone: (id: string | null) => string,
): AuditEntry['details'] {
  if (aboutInvites.has(action)) return { email: gone(null) }
  if (aboutMembers.has(action)) return { email: gone(target) }
  return bySupport.has(action) ? { user: gone(target) } : {}
}

const wordOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(wordOf).join(', ') : value === null ? '' : String(value)

// Also the full-width ones, which spreadsheets of East Asia take for the same. Where the list separator is a semicolon,
// what follows one begins a field, whatever the quotes say.
const formula = /(^|[;,\t\r\n] *)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

/** A field of a CSV file (RFC 4180) that no spreadsheet takes for a formula (V1.2.10). */
function csvField(value: string): string {
  return `"${value.replace(formula, "$1'").replaceAll('"', '""')}"`
}

export const csvLine = (fields: readonly string[]) => `${fields.map(csvField).join(',')}\r\n`
