import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

/** Warns of repeated sign-in attempts with a wrong password. */
export const signinAttempts: Template<{ name: string; url: string }> = (data, translate) => ({
  subject: translate('signin_attempts.subject'),
  preheader: translate('signin_attempts.preheader'),
  greeting: greeting(translate, data.name),
  body: [translate('signin_attempts.body'), translate('signin_attempts.safe')],
  button: { label: translate('signin_attempts.button'), url: data.url },
  aside: translate('signin_attempts.aside'),
  footer: translate('signin_attempts.footer'),
})
