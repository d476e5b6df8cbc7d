import type { MailContent } from './content.ts'
import { toPlainString } from './translate.ts'

/** The plain-text part: the link on a line of its own, lines left to the reader's window. */
export function renderPlainText(content: MailContent): string {
  const blocks = [
    toPlainString(content.heading),
    content.greeting && toPlainString(content.greeting),
    ...content.body.map(toPlainString),
    `${toPlainString(content.button.label)}:\n${content.button.url}`,
    content.expiry && toPlainString(content.expiry),
    toPlainString(content.aside),
    // The dash line with its space is how mail programs know a footer.
    `-- \n${toPlainString(content.footer)}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
