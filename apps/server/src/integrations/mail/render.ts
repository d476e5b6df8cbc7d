import { isEmail } from '@plinth/contract/patterns'
import type { Letter, Template } from './content.ts'
import { PermanentMailError } from './errors.ts'
import { letterText } from './plain-text.ts'
import { kinds, type Mail } from './registry.ts'
import { mailLanguage, plain, sayIn } from './translate.ts'

export type RenderedMail = { subject: string; html: string; text: string }

/** Subject, HTML and plain text of a mail, in the recipient's language. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  if (!isEmail(mail.to)) throw new PermanentMailError('address_invalid')
  const language = mailLanguage(mail.locale)
  const say = sayIn(language)
  const letter = compose(mail, say)
  if (!isLink(letter.button.url)) throw new Error(`The link of a ${mail.kind} mail is not a web address`)
  const subject = plain(letter.subject)
  // React and the mail components take long to load: only the process that sends a mail pays, once.
  const { letterHtml } = await import('./layout.ts')
  return { subject, html: await letterHtml(letter, { language, subject, say }), text: letterText(letter) }
}

function compose(mail: Mail, say: ReturnType<typeof sayIn>): Letter {
  const template = kinds[mail.kind] as Template<Mail['data']> // as: the kind and its data come as a pair, which a table lookup forgets
  return template(mail.data, say, mail.to)
}

const isLink = (url: string) => /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url)
