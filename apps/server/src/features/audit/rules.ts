import type { AuditEntry } from '@plinth/contract'

/** What is noted of an entry as words alone, which is what a screen and a spreadsheet can show. */
export function detailsOf(metadata: unknown): AuditEntry['details'] {
  if (metadata === null || typeof metadata !== 'object') return {}
  const words = Object.entries(metadata).map(([name, value]) => [name, wordOf(value)] as const)
  return Object.fromEntries(words.filter(([, word]) => word !== ''))
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
