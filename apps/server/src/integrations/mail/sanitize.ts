/**
 * What people call themselves and their accounts goes into mails to strangers, so it must not carry a link,
 * a second line, a header or a change of writing direction (T-73).
 */
const MAX = 100
/** Far above MAX, so that a giant name costs nothing before it is cut. */
const READ = 2000

/** Joiners shape emoji and several scripts; every other format character (bidi, zero width, tags) goes. */
const strayFormat = /(?![\u200c\u200d])\p{Cf}|(?<![\p{L}\p{M}\p{Extended_Pictographic}])[\u200c\u200d]/gu

/** One line of at most 100 characters without control, bidi or invisible characters. For words of our own. */
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

/** A whole text in its lines, without the characters that hide or turn others. Empty lines part paragraphs and go. */
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
 * The same, with nothing left that a mail program would turn into a link: a space after each dot and colon inside
 * a word ("evil. com"), single slashes, a loose @. Encoded words would be decoded in a subject, so they break too.
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

/** Cuts between letters as people see them, so that no half emoji is left; the length counts UTF-16 units. */
function shorten(text: string): string {
  if (text.length <= MAX) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (kept.length + segment.length > MAX - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
