/// <reference path="./punycode.d.ts" />
import { decode } from 'punycode/punycode.es6.js'
import { isLookalike } from './lookalikes.ts'
import { isEmail, isHost } from './patterns.ts'
import { trimPasted } from './text.ts'

/** Browsers and Node have it; the contract's types know neither. */
declare const URL: new (url: string) => { readonly hostname: string }

/**
 * The one spelling in which an address is stored and compared; null when it is no address. ASCII letters are folded and
 * nothing else: Unicode has other characters that turn into ASCII letters, and those addresses belong to other people.
 * The domain becomes A-labels (IDNA). The database checks the same with is_email().
 */
export function normalEmail(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = normalDomain(address.slice(at + 1))
  if (at < 1 || domain === null) return null
  const normal = `${lowerAscii(address.slice(0, at))}@${domain}`
  return isEmail(normal) ? normal : null
}

/** The address in what a person typed or pasted, without blank characters around it. */
export const typedEmail = (text: string) => normalEmail(trimPasted(text))

/** Whether an address fails only because characters before the @ are not ASCII. */
export function hasForeignName(text: string): boolean {
  const address = trimPasted(text)
  const at = Math.max(address.lastIndexOf('@'), 0)
  const ascii = address.slice(0, at).replace(/[^\0-\x7f]/gu, 'a') + address.slice(at)
  return normalEmail(address) === null && normalEmail(ascii) !== null
}

/** A domain in lower case and A-labels; null when it is none. */
export function normalDomain(domain: string): string | null {
  if (domain.length > 253) return null
  const lower = lowerAscii(domain)
  const normal = /[^\0-\x7f]/.test(lower) ? aLabels(lower) : lower
  return normal !== null && isHost(normal) ? normal : null
}

/**
 * A label must stay international: one that IDNA maps to plain ASCII (full-width letters, the Kelvin sign) names
 * another domain than the one that is shown.
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
  const stays = (label: string, at: number) =>
    /[^\0-\x7f]/.test(label) ? mapped[at]?.startsWith('xn--') : mapped[at] === label
  return typed.length === mapped.length && typed.every(stays) ? hostname : null
}

/** Part of an address, typed to find it: in the spelling that addresses are stored in. */
export function emailPart(text: string): string {
  const [at, lower] = [text.lastIndexOf('@'), lowerAscii(text)]
  return lower.slice(0, at + 1) + (aLabels(lower.slice(at + 1)) ?? lower.slice(at + 1))
}

/**
 * An address, or a domain, as people read it. A label stays as it is stored when it doesn't lead back to the same domain
 * or can pass for another one.
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

/** Commas and semicolons, also those of Arabic and Chinese keyboards. */
const marks = ',;\u060c\u061b\u3001\uff0c\uff1b'
const ends = new RegExp(`[${marks}\\n]`, 'u')
const separators = new RegExp(`[${marks}\\s]`, 'u')

/**
 * The addresses in what a person typed or pasted, each as it was typed: with white space, commas or semicolons of any script between them,
 * and of "Ada Lovelace <ada@analytical.example>", as mail programs copy it, the address alone.
 */
export function splitEmails(text: string): string[] {
  const bare = withoutNames(text)
    .split(ends)
    .map(part => {
      const end = part.indexOf('>')
      const start = end < 0 ? -1 : part.lastIndexOf('<', end)
      return start < 0 ? part : part.slice(start + 1, end)
    })
  return bare
    .flatMap(part => part.split(separators))
    .map(trimPasted)
    .filter(Boolean)
}

/** Leaves out the quoted names in front of addresses: they may contain commas. */
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
