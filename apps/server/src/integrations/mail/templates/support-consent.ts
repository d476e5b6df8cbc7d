import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

type Data = {
  name: string
  allowed: boolean
  /** Where the consent is given and taken back. */
  url: string
}

/** Written out, so that a key that nobody uses is found. */
const texts = {
  on: { subject: 'support_consent.on_subject', body: 'support_consent.on' },
  off: { subject: 'support_consent.off_subject', body: 'support_consent.off' },
} as const

/** Somebody lets support act in their name from now on, or no longer. */
export const supportConsent: Template<Data> = ({ name, allowed, url }, translate) => {
  const { subject, body } = texts[allowed ? 'on' : 'off']
  return {
    subject: translate(subject),
    preheader: translate('support_consent.preheader'),
    heading: translate(subject),
    greeting: greeting(translate, name),
    body: [translate(body)],
    button: { label: translate('support_session.button'), url },
    expiry: null,
    aside: translate('support_consent.aside'),
    footer: translate('support_consent.footer'),
  }
}
