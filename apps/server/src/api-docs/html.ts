/** Text that is markup already. */
export type Html = { markup: string }

type Part = Html | Html[] | string | number | null | false

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, character => escapes[character] ?? '')

const toMarkup = (part: Part): string => {
  if (part === null || part === false) return ''
  if (Array.isArray(part)) return part.map(toMarkup).join('')
  return typeof part === 'object' ? part.markup : escaped(String(part))
}

/** Markup with holes: what goes into a hole is escaped unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: strings.map((text, index) => text + toMarkup(parts[index] ?? null)).join('') }
}
