import type { TranslatedText, TranslateMail } from './translate.ts'

/** What every mail is made of; the HTML and the plain text are both made from it. */
export type MailContent = {
  subject: TranslatedText
  /** The grey line that inboxes show after the subject. */
  preheader: TranslatedText
  heading: TranslatedText
  /** Null when we do not know whom we write to. */
  greeting: TranslatedText | null
  body: readonly TranslatedText[]
  /** The one thing to do. The only link of the mail. */
  button: { label: TranslatedText; url: string }
  /** How long the link works, null for a link that stays. */
  expiry: TranslatedText | null
  /** What to do when the mail was not expected. */
  aside: TranslatedText
  /** Why one got it. */
  footer: TranslatedText
}

/** A kind of mail: its data in, a letter out. `to` is the checked address of the recipient. */
export type Template<Data> = (data: Data, translate: TranslateMail, to: string) => MailContent
