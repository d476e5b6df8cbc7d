/**
 * Names of users and accounts appear in mails to other people, so they must not contain a link, a line break, a header
 * or a change of writing direction.
 */
const MAX = 100
/** Cut long input to this length before the costly steps. */
const READ = 2000

/** All format characters (bidi, zero width, tags) except joiners, which emoji and several scripts need. */
const strayFormat = /(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d]/gu

/** One line of at most 100 characters without control, bidi or invisible characters. For trusted text. */
export function cleanText(raw: string): string {
  const line = raw
    .slice(0, READ)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(strayFormat, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(line)
}

/** Splits a text into non-empty lines and removes control, bidi and invisible characters. */
export const cleanLines = (raw: string): string[] =>
  raw
    .toWellFormed()
    .replace(strayFormat, '')
    .split(/\r\n|[\r\n\p{Zl}\p{Zp}]/u)
    .map(line =>
      line
        .replace(/\p{Cc}/gu, ' ')
        .normalize('NFC')
        .trim(),
    )
    .filter(Boolean)

/**
 * cleanText() that also breaks everything a mail program turns into a link: a space after each dot and colon inside a
 * word ("evil. com"), single slashes, spaces around @. Breaks encoded words too, which a subject would decode.
 */
export function cleanName(raw: string): string {
  const unlinked = cleanText(raw)
    .replace(/([.\u2024\u3002\uff0e\uff61])(?=[^\s.,;:!?)\]'"’”»])/g, '$1 ')
    .replace(/([:\uff1a])(?=\S)/g, '$1 ')
    .replace(/([/\\\uff0f\uff3c])[/\\\uff0f\uff3c]+/g, '$1')
    .replace(/(?<=\S)([@\uff20])(?=\S)/g, ' $1 ')
    .replace(/=\?/g, '= ?')
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(unlinked)
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts between graphemes, so that no emoji is split. The length counts UTF-16 units. */
function shorten(text: string): string {
  if (text.length <= MAX) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (kept.length + segment.length > MAX - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
