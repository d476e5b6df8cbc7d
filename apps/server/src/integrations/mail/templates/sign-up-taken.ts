import type { Template } from '../content.ts'
import { trustedText } from '../translate.ts'

/** A sign-up used the address of a verified user: the link adds the new account to that user. */
export const signUpTaken: Template<{ url: string; hours: number; account_name: string }> = (
  data,
  translate,
  to,
) => ({
  subject: translate('sign_up_taken.subject'),
  preheader: translate('sign_up_taken.preheader'),
  heading: translate('sign_up_taken.heading'),
  // A stranger typed the name.
  greeting: translate('layout.greeting_plain'),
  body: [
    translate('sign_up_taken.body', { email: trustedText(to), account_name: data.account_name }),
    translate('sign_up_taken.next'),
  ],
  button: { label: translate('sign_up_taken.button'), url: data.url },
  expiry: translate('layout.link_hours', { count: data.hours }),
  aside: translate('sign_up_taken.aside'),
  footer: translate('sign_up_taken.footer'),
})
