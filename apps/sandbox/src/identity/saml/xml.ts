import { DOMParser } from '@xmldom/xmldom'
import { invalid } from '../../http/api-error.ts'

/** Escapes text for elements and attributes, and removes control characters that XML 1.0 forbids. */
export const escapeXml = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')

/** An element with raw content; null attributes are omitted. */
export function element(name: string, attributes: Record<string, string | null>, content = ''): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => (value === null ? '' : ` ${key}="${escapeXml(value)}"`))
    .join('')
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`
}

export function parseXml(xml: string): Document {
  const refuse = (message: string) => {
    throw invalid(`Invalid XML: ${message}`)
  }
  return new DOMParser({
    errorHandler: { warning: refuse, error: refuse, fatalError: refuse },
  }).parseFromString(xml, 'text/xml')
}
