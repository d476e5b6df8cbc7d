import type { MailContent } from './content.ts'
import { toPlainString } from './translate.ts'

/** The plain-text part, with the link on its own line and no hard wraps. */
export function renderPlainText(content: MailContent): string {
  const blocks = [
    toPlainString(content.heading ?? content.subject),
    content.greeting && toPlainString(content.greeting),
    ...content.body.map(toPlainString),
    `${toPlainString(content.button.label)}:\n${content.button.url}`,
    content.expiry && toPlainString(content.expiry),
    toPlainString(content.aside),
    // Mail programs detect a footer by this line; the trailing space is required.
    `-- \n${toPlainString(content.footer)}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
