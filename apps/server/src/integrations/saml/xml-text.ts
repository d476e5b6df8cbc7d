import { limits } from '@plinth/contract/patterns'
import { SamlProblem } from './problem.ts'

/** 256 kB, for a message and for metadata; base64 makes four characters of three bytes, and may be wrapped in lines. */
export const MAX_BYTES = limits.metadata_bytes
const MAX_BASE64 = Math.ceil((MAX_BYTES / 3) * 4 * 1.05)

const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufeff\ufffe\uffff]/

/** The text of a posted message. Sizes are checked before there is anything to parse; nothing is ever inflated. */
export function decodeMessage(posted: string): string {
  if (posted.length > MAX_BASE64) throw new SamlProblem('too_large')
  const base64 = posted.replace(/[ \t\r\n]/g, '')
  const bytes = Buffer.from(base64, 'base64')
  // Node's decoder skips what it does not know; the way back shows whether there was any of that.
  if (base64 === '' || bytes.toString('base64') !== base64) throw new SamlProblem('bad_base64')
  return decodeBytes(bytes)
}

/** UTF-8 or nothing, without a mark at its start: another encoding could read as other markup elsewhere. */
export function decodeBytes(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new SamlProblem('too_large')
  try {
    return normalizeText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch (cause) {
    throw cause instanceof SamlProblem ? cause : new SamlProblem('bad_encoding', null, cause)
  }
}

/** One kind of line end, and no character that XML does not have. */
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
/** For text and for attributes alike. */
export const escapeXml = (text: string) => text.replace(/[<>&"']/g, character => escapes[character] ?? '')
