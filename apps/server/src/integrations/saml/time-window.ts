import { attributeOf } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

/** Allowed clock difference to the provider. */
export const SKEW = 60_000
/** Maximum age of a message, even when its conditions allow more. */
export const MAX_AGE = 5 * 60_000

/** Requires UTC with a Z: a time without a zone is ambiguous. */
export function timeOf(element: Element, name: string): Date {
  const text = attributeOf(element, name)
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(text ?? '')
  const time = new Date(parts ? `${parts[1]}${(parts[2] ?? '.000').slice(0, 4).padEnd(4, '0')}Z` : Number.NaN)
  // Also refuses February 30, which Date parses as a day in March.
  if (!parts || Number.isNaN(time.getTime()) || time.toISOString().slice(0, 19) !== parts[1]) {
    throw new SamlProblem('bad_time', name)
  }
  return time
}

export function checkFresh(issued: Date, now: Date) {
  if (issued.getTime() > now.getTime() + SKEW) throw new SamlProblem('not_yet_valid', issued.toISOString())
  if (issued.getTime() <= now.getTime() - MAX_AGE - SKEW) throw new SamlProblem('stale', issued.toISOString())
}

/** NotOnOrAfter is required, so that every assertion expires. NotBefore is optional. @returns the end */
export function checkWindow(element: Element, now: Date): Date {
  const ends = timeOf(element, 'NotOnOrAfter')
  if (attributeOf(element, 'NotBefore') !== null) {
    const begins = timeOf(element, 'NotBefore')
    if (begins.getTime() > now.getTime() + SKEW) throw new SamlProblem('not_yet_valid', begins.toISOString())
    if (begins >= ends) throw new SamlProblem('expired')
  }
  if (ends.getTime() <= now.getTime() - SKEW) throw new SamlProblem('expired', ends.toISOString())
  return ends
}
