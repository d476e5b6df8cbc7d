/** Suffixes that follow a comma and are no first name, as in "Sammy Davis, Jr." */
const suffix = /^(?:jr|sr|i{2,3}|iv|ph\.?d|m\.?d|esq)\.?$/i

/** A full name as two fields: directories write "Last, First", everyone else begins with the first name. */
export function splitName(full: string): { first: string; last: string } {
  const [last = '', first = '', ...more] = full.split(',').map(part => part.trim())
  if (first && last && more.length === 0 && !suffix.test(first)) return { first, last }
  const [word = '', ...rest] = full.split(/\s+/).filter(Boolean)
  return { first: word, last: rest.join(' ') }
}
