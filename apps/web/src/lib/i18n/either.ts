import { language } from './language.ts'

/** Joins alternatives: "PNG or JPEG". In a file of its own because most pages do not need it. */
export const either = (parts: readonly string[]): string =>
  new Intl.ListFormat(language.get(), { type: 'disjunction' }).format(parts)
