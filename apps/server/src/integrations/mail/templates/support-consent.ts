import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

type Data = {
  name: string
  allowed: boolean
  /** Link to the page where consent is given and withdrawn. */
  url: string
}

/** Literal keys, so that the test for unused keys finds them. */
const texts = {
  on: { subject: 'support_consent.on_subject', body: 'support_consent.on' },
  off: { subject: 'support_consent.off_subject', body: 'support_consent.off' },
} as const

/** Support access to the user's account was turned on or off. */
export const supportConsent: Template<Data> = ({ name, allowed, url }, translate) => {
  const { subject, body } = texts[allowed ? 'on' : 'off']
  return {
    subject: translate(subject),
    preheader: translate('support_consent.preheader'),
    greeting: greeting(translate, name),
    body: [translate(body)],
    button: { label: translate('support_session.button'), url },
    aside: translate('support_consent.aside'),
    footer: translate('support_consent.footer'),
  }
}
