import { limits } from '@plinth/contract/patterns'
import { SamlProblem } from './problem.ts'

/** 256 kB for messages and metadata. Base64 adds a third, and line breaks up to 5 %. */
export const MAX_BYTES = limits.metadata_bytes
const MAX_BASE64 = Math.ceil((MAX_BYTES / 3) * 4 * 1.05)

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufeff\ufffe\uffff]/

/** Decodes a posted message. Checks the size before parsing and never decompresses. */
export function decodeMessage(posted: string): string {
  if (posted.length > MAX_BASE64) throw new SamlProblem('too_large')
  const base64 = posted.replace(/[ \t\r\n]/g, '')
  const bytes = Buffer.from(base64, 'base64')
  // Node's decoder skips invalid characters; encoding again detects them.
  if (base64 === '' || bytes.toString('base64') !== base64) throw new SamlProblem('bad_base64')
  return decodeBytes(bytes)
}

/** Requires UTF-8 without a byte order mark: in another encoding the bytes could be different markup. */
export function decodeBytes(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new SamlProblem('too_large')
  try {
    return normalizeText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw cause instanceof SamlProblem ? cause : new SamlProblem('bad_encoding', null, cause)
  }
}

/** Normalises line ends and refuses characters that XML forbids. */
export function normalizeText(text: string): string {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) throw new SamlProblem('too_large')
  if (!text.isWellFormed() || NOT_XML.test(text)) throw new SamlProblem('bad_encoding')
  return text.replace(/\r\n?/g, '\n')
}

export function decodeText(raw: string): string {
  if (raw.includes(']]>')) throw new SamlProblem('bad_xml')
  return decodeReferences(raw)
}

export const decodeAttribute = (raw: string) => decodeReferences(raw.replace(/[\t\n]/g, ' '))

function decodeReferences(raw: string): string {
  if (!raw.includes('&')) return raw
  return raw.replace(/&[^&;]{0,10};?/g, reference => {
    const [, name, decimal, hex] =
      /^&(?:([a-z]{2,4})|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));$/.exec(reference) ?? []
    const text = name ? named[name] : characterOf(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16))
    if (text === undefined) throw new SamlProblem('bad_xml')
    return text
  })
}

function characterOf(code: number): string | undefined {
  if (!(code > 0 && code <= 0x10ffff)) return undefined
  const text = String.fromCodePoint(code)
  return text.isWellFormed() && !NOT_XML.test(text) ? text : undefined
}

const escapes: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
}
/** For text and attributes. */
export const escapeXml = (text: string) => text.replace(/[<>&"']/g, character => escapes[character] ?? '')
