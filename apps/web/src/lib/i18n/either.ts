import { language } from './language.ts'

/** What can be chosen among: "PNG or JPEG". Apart from the other formats, which no form needs. */
export const either = (parts: readonly string[]): string =>
  new Intl.ListFormat(language.get(), { type: 'disjunction' }).format(parts)
