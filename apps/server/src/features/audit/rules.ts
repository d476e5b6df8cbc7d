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

/** The metadata of an entry as strings, for screens and spreadsheets. */
export function detailsOf(metadata: unknown): AuditEntry['details'] {
  if (metadata === null || typeof metadata !== 'object') return {}
  const words = Object.entries(metadata).map(([name, value]) => [name, wordOf(value)] as const)
  return Object.fromEntries(words.filter(([, word]) => word !== ''))
}

/**
 * A short label for a deleted user, the same in all entries. The end of the id, because it begins with the time.
 */
export const labelOf = (id: string | null) => id?.slice(-6).toUpperCase() ?? ''

/**
 * A label in place of an address that was deleted from the entry. An entry about an invite has no user, so its label
 * has no id.
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

// Includes full-width signs, which spreadsheets in East Asia treat the same. Where the list separator is a semicolon,
// a semicolon starts a new field, even inside quotes.
const formula = /(^|[;,\t\r\n] *)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu

/** A CSV field (RFC 4180) that no spreadsheet runs as a formula. */
function csvField(value: string): string {
  return `"${value.replace(formula, "$1'").replaceAll('"', '""')}"`
}

export const csvLine = (fields: readonly string[]) => `${fields.map(csvField).join(',')}\r\n`
