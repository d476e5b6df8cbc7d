import type { Say, Words } from './translate.ts'

/** What every mail is made of; the HTML and the plain text are both made from it. */
export type Letter = {
  subject: Words
  /** The grey line that inboxes show after the subject. */
  preheader: Words
  heading: Words
  /** Null when we do not know whom we write to. */
  greeting: Words | null
  body: readonly Words[]
  /** The one thing to do. The only link of the mail. */
  button: { label: Words; url: string }
  /** How long the link works, null for a link that stays. */
  expiry: Words | null
  /** What to do when the mail was not expected. */
  aside: Words
  /** Why one got it. */
  footer: Words
}

/** A kind of mail: its data in, a letter out. `to` is the checked address of the recipient. */
export type Template<Data> = (data: Data, say: Say, to: string) => Letter
