/** White space and invisible characters, common in copied text. */
const blank = /[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u

export const trimBlanks = (text: string) => trimWhere(text, letter => blank.test(letter))

/** Trims matching characters in linear time; a regular expression for the end of the text is quadratic. */
export function trimWhere(text: string, isBlank: (letter: string) => boolean): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charAt(start))) start++
  while (end > start && isBlank(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const visible = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether the text has a visible character: blank letters, spaces and combining marks do not count. */
export const hasVisibleText = (text: string) => visible.test(text)

/** OpaqueString of RFC 8265: characters that look the same get one spelling, all spaces become one kind. */
export const normalizePassword = (text: string) => text.replace(/\p{Zs}/gu, ' ').normalize('NFC')
