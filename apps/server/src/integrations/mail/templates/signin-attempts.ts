import type { Template } from '../content.ts'
import { greet } from '../translate.ts'

/** Somebody who does not know the password keeps trying. */
export const signinAttempts: Template<{ name: string; url: string }> = (data, say) => ({
  subject: say('signin_attempts.subject'),
  preheader: say('signin_attempts.preheader'),
  heading: say('signin_attempts.subject'),
  greeting: greet(say, data.name),
  body: [say('signin_attempts.body'), say('signin_attempts.safe')],
  button: { label: say('signin_attempts.button'), url: data.url },
  expiry: null,
  aside: say('signin_attempts.aside'),
  footer: say('signin_attempts.footer'),
})
