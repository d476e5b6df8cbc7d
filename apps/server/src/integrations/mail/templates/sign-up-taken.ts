import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** Someone signed up with the address of a verified user: the link attaches the new account to that user. */
export const signUpTaken: Template<{ name: string; url: string; hours: number; account_name: string }> = (
  data,
  say,
  to,
) => ({
  subject: say('sign_up_taken.subject'),
  preheader: say('sign_up_taken.preheader'),
  heading: say('sign_up_taken.heading'),
  greeting: greet(say, data.name),
  body: [
    say('sign_up_taken.body', { email: ours(to), account_name: data.account_name }),
    say('sign_up_taken.next'),
  ],
  button: { label: say('sign_up_taken.button'), url: data.url },
  expiry: say('layout.link_hours', { count: data.hours }),
  aside: say('sign_up_taken.aside'),
  footer: say('sign_up_taken.footer'),
})
