import { normalizeEmailPart } from '@plinth/contract/email'

/** As texts are compared in a search: lower case, without accents. "ines" finds "Inês". */
export const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a search over names and addresses. */
export const searchWords = (search = ''): string[] => search.split(/\s+/).filter(Boolean).slice(0, 5)

/** The words of a search, each as a LIKE pattern that finds it anywhere; what LIKE reads as a sign is taken as typed. */
export const patternsOf = (search: string): string[] =>
  folded(search)
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 10)
    .map(word => `%${escaped(word)}%`)

/** What LIKE reads as a sign is taken as typed. */
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** SQL for the pattern of an address that a word is part of; the word becomes one of the statement's values. */
export const likeEmail = (word: string, values: unknown[]) =>
  `'%' || $${values.push(escaped(normalizeEmailPart(word)))} || '%'`

/** SQL for members (m) whose name or address a word is part of. */
export const memberNamed = (word: string, values: unknown[]) =>
  `(m.person_name like '%' || folded($${values.push(escaped(word))}) || '%' or m.person_email like ${likeEmail(word, values)})`
