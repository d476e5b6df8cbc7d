import { limits } from '@plinth/contract/patterns'

/** The user's own words, which make a password easy to guess. */
export type About = {
  first_name: string
  last_name: string
  email: string
  account_name?: string | undefined
}

const house = ['plinth']
/** A password without its personal words must be long enough by itself. */
const enough = limits.password_min
/** "aaaa-aaaa" has two characters, however long it is. */
const fewestDifferent = 5

/**
 * Why a new password is refused, or null. Users add a special character to a common word to satisfy that rule, so it
 * is removed before the comparison.
 * @param common in lower case
 */
export function whyNotPassword(
  password: string,
  about: About,
  common: ReadonlySet<string>,
): 'password_common' | 'password_personal' | null {
  const typed = plain(password)
  const words = wordsOf(about)
  for (const spelled of spellings(typed)) {
    const left = without(typed, spelled, words)
    if (left === typed) continue
    if (left.length < enough) return 'password_personal'
    if (isCommon(left, common)) return 'password_common'
  }
  return isCommon(typed, common) ? 'password_common' : null
}

/** Lower case, no accents. Cut, because some characters expand to many letters. */
const plain = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, limits.password_max)

/** Digits and signs that replace letters. `eitherOf` can replace two. */
const stands: Record<string, string> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '6': 'g',
  '7': 't',
  '+': 't',
  '8': 'b',
  '9': 'g',
}
const eitherOf = /[1!|]/g

/** The text as typed, and with digits and signs read as letters. All have the same length. */
function spellings(text: string): string[] {
  const read = text.replace(/[0345678@$+9]/g, sign => stands[sign] ?? sign)
  return [...new Set([text, read.replace(eitherOf, 'i'), read.replace(eitherOf, 'l')])]
}

function isCommon(text: string, common: ReadonlySet<string>): boolean {
  if (new Set(text).size < fewestDifferent) return true
  const noLetters = /[^\p{L}]+/gu
  const end = text.replace(/[^\p{L}]+$/u, '')
  const digits = /^\d*/.exec(text)?.[0] ?? ''
  return [text, text.replace(/[^\p{L}\p{N}]/gu, ''), digits, end, end.replace(/^[^\p{L}]+/u, '')]
    .flatMap(spellings)
    .flatMap(core => [core, core.replace(noLetters, '')])
    .filter(core => text.length - core.length < enough)
    .some(core => common.has(core) || common.has(core.replace(/^(.+?)\1+$/u, '$1')))
}

/** Cuts each word out of the text wherever the given spelling contains it. */
function without(text: string, spelled: string, words: string[]): string {
  const kept = text.split('')
  for (const word of words) {
    for (let at = spelled.indexOf(word); at >= 0; at = spelled.indexOf(word, at + 1))
      kept.fill('', at, at + word.length)
  }
  return kept.join('')
}

function wordsOf({ first_name, last_name, email, account_name = '' }: About): string[] {
  const words = plain([first_name, last_name, email, account_name].join(' ')).split(/[^\p{L}]+/u)
  return [...house, ...words].filter(word => word.length >= 3)
}
