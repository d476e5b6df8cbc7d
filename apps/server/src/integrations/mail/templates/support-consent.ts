import type { Template } from '../content.ts'
import { greet } from '../translate.ts'

type Data = {
  name: string
  allowed: boolean
  /** Where the consent is given and taken back. */
  url: string
}

/** Written out, so that a key that nobody uses is found. */
const words = {
  on: { subject: 'support_consent.on_subject', body: 'support_consent.on' },
  off: { subject: 'support_consent.off_subject', body: 'support_consent.off' },
} as const

/** Somebody lets support act in their name from now on, or no longer. */
export const supportConsent: Template<Data> = ({ name, allowed, url }, say) => {
  const { subject, body } = words[allowed ? 'on' : 'off']
  return {
    subject: say(subject),
    preheader: say('support_consent.preheader'),
    heading: say(subject),
    greeting: greet(say, name),
    body: [say(body)],
    button: { label: say('support_session.button'), url },
    expiry: null,
    aside: say('support_consent.aside'),
    footer: say('support_consent.footer'),
  }
}
