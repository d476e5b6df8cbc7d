import type { Letter } from './content.ts'
import { plain } from './translate.ts'

/** The plain-text part: the link on a line of its own, lines left to the reader's window. */
export function letterText(letter: Letter): string {
  const blocks = [
    plain(letter.heading),
    letter.greeting && plain(letter.greeting),
    ...letter.body.map(plain),
    `${plain(letter.button.label)}:\n${letter.button.url}`,
    letter.expiry && plain(letter.expiry),
    plain(letter.aside),
    // The dash line with its space is how mail programs know a footer.
    `-- \n${plain(letter.footer)}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
