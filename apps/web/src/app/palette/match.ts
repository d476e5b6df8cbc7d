/** What a search looks through: what is drawn, and other words for the same. */
export type Findable = { label: string; detail?: string | undefined; also?: string | undefined }

/**
 * The entries that every word of the query fits, without regard to case and accents: first those with words that begin
 * so, then those with words that have it inside (of compounds, people type the second part), then those that are only
 * called so by others. Within each kind the order stays.
 */
export function matching<T extends Findable>(entries: readonly T[], query: string, language: string): T[] {
  const asked = wordsOf(query, language)
  const ranked = entries.map(entry => ({ entry, rank: rankOf(entry, asked, language) }))
  const fitting = ranked.filter(({ rank }) => rank < NONE)
  return fitting.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

const NONE = 3

function rankOf({ label, detail = '', also = '' }: Findable, asked: string[], language: string): number {
  const shown = wordsOf(`${label} ${detail}`, language)
  const all = [...shown, ...wordsOf(also, language)]
  const every = (words: string[], fits: (word: string, part: string) => boolean) =>
    asked.every(part => words.some(word => fits(word, part)))
  const begins = (word: string, part: string) => word.startsWith(part)
  if (every(shown, begins)) return 0
  if (every(shown, (word, part) => word.includes(part))) return 1
  return every(all, begins) ? 2 : NONE
}

/** In capitals, so that ß is ss; in the language, since Turkish has two letters i. */
const wordsOf = (text: string, language: string): string[] =>
  text
    .toLocaleUpperCase(language)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
