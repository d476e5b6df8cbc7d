/** White space and invisible characters, which copied text often contains. */
const blank = /[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]/u

/** Pasted text without the blank characters around it. */
export const trimPasted = (text: string) => trimWhere(text, letter => blank.test(letter))

/** The text without the characters around it that `isBlank` names. In linear time, which a pattern for its end is not. */
export function trimWhere(text: string, isBlank: (letter: string) => boolean): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charAt(start))) start++
  while (end > start && isBlank(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const visible = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a reader sees anything: blank letters, spaces and marks alone show nothing. */
export const showsSomething = (text: string) => visible.test(text)

/** A password as it is compared (OpaqueString of RFC 8265): one spelling for what looks the same, one kind of space. */
export const opaqueText = (text: string) => text.replace(/\p{Zs}/gu, ' ').normalize('NFC')
