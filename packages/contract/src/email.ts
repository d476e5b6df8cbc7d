/// <reference path="./punycode.d.ts" />
import { decode } from 'punycode/punycode.es6.js'
import { isLookalike } from './lookalike-domains.ts'
import { isEmail, isHost } from './patterns.ts'
import { trimBlanks } from './text.ts'

// The contract is compiled without the types of browsers and Node, which both have URL.
declare const URL: new (url: string) => { readonly hostname: string }

/**
 * The spelling in which an address is stored and compared; null for an invalid address. Only ASCII letters are lower-
 * cased: Unicode lower case maps other characters to ASCII letters, and those addresses belong to other people. The
 * domain becomes A-labels (IDNA). The database checks the same rules with is_email().
 */
export function normalizeEmail(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = normalizeDomain(address.slice(at + 1))
  if (at < 1 || domain === null) return null
  const normal = `${lowerAscii(address.slice(0, at))}@${domain}`
  return isEmail(normal) ? normal : null
}

/** Trims typed or pasted text and normalizes it as an address. */
export const parseEmail = (text: string) => normalizeEmail(trimBlanks(text))

/** Whether an address is invalid only because of non-ASCII characters before the @. */
export function hasNonAsciiLocalPart(text: string): boolean {
  const address = trimBlanks(text)
  const at = Math.max(address.lastIndexOf('@'), 0)
  const ascii = address.slice(0, at).replace(/[^\0-\x7f]/gu, 'a') + address.slice(at)
  return normalizeEmail(address) === null && normalizeEmail(ascii) !== null
}

/** The domain in lower case and A-labels; null for an invalid domain. */
export function normalizeDomain(domain: string): string | null {
  if (domain.length > 253) return null
  const lower = lowerAscii(domain)
  const normal = /[^\0-\x7f]/.test(lower) ? aLabels(lower) : lower
  return normal !== null && isHost(normal) ? normal : null
}

/**
 * Refuses labels that IDNA maps to plain ASCII (full-width letters, the Kelvin sign): the shown text and the domain
 * would differ.
 */
function aLabels(domain: string): string | null {
  if (/[^a-z0-9.\-\x80-\u{10ffff}]/u.test(domain)) return null
  let hostname: string
  try {
    hostname = new URL(`http://${domain}`).hostname
  } catch {
    return null
  }
  const typed = domain.split('.')
  const mapped = hostname.split('.')
  const isUnchanged = (label: string, at: number) =>
    /[^\0-\x7f]/.test(label) ? mapped[at]?.startsWith('xn--') : mapped[at] === label
  return typed.length === mapped.length && typed.every(isUnchanged) ? hostname : null
}

/** Normalizes a search text so that it matches part of a stored address. */
export function normalizeEmailPart(text: string): string {
  const [at, lower] = [text.lastIndexOf('@'), lowerAscii(text)]
  return lower.slice(0, at + 1) + (aLabels(lower.slice(at + 1)) ?? lower.slice(at + 1))
}

/**
 * Formats an address or a domain for people: A-labels become Unicode. A label keeps its stored spelling when it does not
 * convert back to the same domain or looks like another one.
 */
export function readableEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return (
    address.slice(0, at + 1) +
    address
      .slice(at + 1)
      .split('.')
      .map(readableLabel)
      .join('.')
  )
}

function readableLabel(label: string): string {
  if (!label.startsWith('xn--')) return label
  try {
    const readable = decode(label.slice(4))
    return aLabels(readable) === label && !isLookalike(readable) ? readable : label
  } catch {
    return label
  }
}

const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, letters => letters.toLowerCase())

/** Commas and semicolons, including those of Arabic and Chinese keyboards. */
const separatorSigns = ',;\u060c\u061b\u3001\uff0c\uff1b'
const entryEnds = new RegExp(`[${separatorSigns}\\n]`, 'u')
const separators = new RegExp(`[${separatorSigns}\\s]`, 'u')

/**
 * Splits typed or pasted text into addresses, separated by white space, commas or semicolons of any script. Of
 * "Ada Lovelace <ada@analytical.example>", as mail programs copy it, only the address is kept.
 */
export function splitEmails(text: string): string[] {
  const withoutBrackets = withoutNames(text)
    .split(entryEnds)
    .map(part => {
      const end = part.indexOf('>')
      const start = end < 0 ? -1 : part.lastIndexOf('<', end)
      return start < 0 ? part : part.slice(start + 1, end)
    })
  return withoutBrackets
    .flatMap(part => part.split(separators))
    .map(trimBlanks)
    .filter(Boolean)
}

/** Removes quoted names before addresses: they may contain commas. */
function withoutNames(text: string): string {
  const pieces = text.split('"')
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return piece
      const after = pieces[index + 1]
      if (after === undefined) return `"${piece}`
      return after.trimStart().startsWith('<') ? '' : `"${piece}"`
    })
    .join('')
}
