/** Searched texts: the visible ones, and synonyms in `also`. */
export type Findable = { label: string; detail?: string | undefined; also?: string | undefined }

/**
 * The entries that match every word of the query, ignoring case and accents. Ranked: words that start with
 * it, then words that contain it (for compounds), then synonyms. Within a rank the order stays.
 */
export function matching<T extends Findable>(entries: readonly T[], query: string, language: string): T[] {
  const queryWords = wordsOf(query, language)
  const ranked = entries.map(entry => ({ entry, rank: rankOf(entry, queryWords, language) }))
  const matched = ranked.filter(({ rank }) => rank < NONE)
  return matched.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)
}

const NONE = 3

function rankOf({ label, detail = '', also = '' }: Findable, queryWords: string[], language: string): number {
  const shown = wordsOf(`${label} ${detail}`, language)
  const all = [...shown, ...wordsOf(also, language)]
  const every = (words: string[], fits: (word: string, part: string) => boolean) =>
    queryWords.every(part => words.some(word => fits(word, part)))
  const begins = (word: string, part: string) => word.startsWith(part)
  if (every(shown, begins)) return 0
  if (every(shown, (word, part) => word.includes(part))) return 1
  return every(all, begins) ? 2 : NONE
}

/** In upper case, so that ß becomes SS; per language, because Turkish has a dotted and a dotless i. */
const wordsOf = (text: string, language: string): string[] =>
  text
    .toLocaleUpperCase(language)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
