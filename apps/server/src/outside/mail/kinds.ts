import { invite } from './templates/invite.ts'
import { planChanged } from './templates/plan-changed.ts'
import { signUpTaken } from './templates/sign-up-taken.ts'
import { verifyEmail } from './templates/verify-email.ts'

/** Every kind of mail. A new one is a file in templates/, its keys in locales/*.mail.json and a line here. */
export const kinds = {
  verify_email: verifyEmail,
  sign_up_taken: signUpTaken,
  invite,
  plan_changed: planChanged,
}

export type MailKind = keyof typeof kinds

/** A mail as the outbox keeps it; plain JSON. */
export type Mail = {
  [K in MailKind]: {
    kind: K
    to: string
    /** Stored locale of the recipient; an unknown one reads English. */
    locale: string
    data: Parameters<(typeof kinds)[K]>[0]
    /** Fixed per operation, so that a mail that is sent twice counts once. */
    message_id?: string
  }
}[MailKind]
