import type { TranslatedText, TranslateMail } from './translate.ts'

/** Content of a mail, from which the HTML and the plain text are rendered. */
export type MailContent = {
  subject: TranslatedText
  /** The preview that inboxes show after the subject. */
  preheader: TranslatedText
  /** The subject when left out. */
  heading?: TranslatedText
  /** Null when the recipient's name is unknown. */
  greeting: TranslatedText | null
  body: readonly TranslatedText[]
  /** The only link of the mail. */
  button: { label: TranslatedText; url: string }
  /** How long the link works; left out for a permanent link. */
  expiry?: TranslatedText
  /** What to do when the mail was not expected. */
  aside: TranslatedText
  /** Why the recipient got this mail. */
  footer: TranslatedText
}

/** Builds the content of one kind of mail from its data. `to` is the validated address of the recipient. */
export type Template<Data> = (data: Data, translate: TranslateMail, to: string) => MailContent
