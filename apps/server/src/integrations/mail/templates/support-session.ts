import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = {
  name: string
  minutes: number
  /** Link to the page where consent is withdrawn. */
  url: string
}

export const supportSession: Template<Data> = (data, translate) => ({
  subject: translate('support_session.subject'),
  preheader: translate('support_session.preheader'),
  greeting: greeting(translate, data.name),
  body: [
    translate('support_session.body', { minutes: trustedText(String(data.minutes)) }),
    translate('support_session.limits'),
  ],
  button: { label: translate('support_session.button'), url: data.url },
  aside: translate('support_session.aside'),
  footer: translate('support_session.footer'),
})
