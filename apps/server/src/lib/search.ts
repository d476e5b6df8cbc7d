/** As texts are compared in a search: lower case, without accents. "ines" finds "Inês". */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a search, each as a LIKE pattern that finds it anywhere; what LIKE reads as a sign is taken as typed. */
export const patternsOf = (search: string): string[] =>
  folded(search)
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 10)
    .map(word => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
