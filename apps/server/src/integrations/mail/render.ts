import { isEmail } from '@plinth/contract/patterns'
import type { MailContent, Template } from './content.ts'
import { PermanentMailError } from './errors.ts'
import { renderPlainText } from './plain-text.ts'
import { type Mail, mailTemplates } from './registry.ts'
import { mailLanguage, mailTranslator, toPlainString } from './translate.ts'

export type RenderedMail = { subject: string; html: string; text: string }

/** Subject, HTML and plain text of a mail, in the recipient's language. */
export async function renderMail(mail: Mail): Promise<RenderedMail> {
  if (!isEmail(mail.to)) throw new PermanentMailError('address_invalid')
  const language = mailLanguage(mail.locale)
  const translate = mailTranslator(language)
  const content = buildContent(mail, translate)
  if (!isWebUrl(content.button.url)) throw new Error(`The link of a ${mail.kind} mail is not a web address`)
  const subject = toPlainString(content.subject)
  // React and the mail components load slowly, so only a process that sends mail loads them.
  const { renderHtml } = await import('./layout.ts')
  return {
    subject,
    html: await renderHtml(content, { language, subject, translate }),
    text: renderPlainText(content),
  }
}

function buildContent(mail: Mail, translate: ReturnType<typeof mailTranslator>): MailContent {
  const template = mailTemplates[mail.kind] as Template<Mail['data']> // as: the kind and its data come as a pair, which a table lookup forgets
  return template(mail.data, translate, mail.to)
}

const isWebUrl = (url: string) => /^https?:\/\/[\x21-\x7e]+$/.test(url) && URL.canParse(url)
