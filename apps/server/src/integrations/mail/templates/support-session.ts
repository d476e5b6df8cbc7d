import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

type Data = {
  name: string
  minutes: number
  /** Where the consent is taken back. */
  url: string
}

export const supportSession: Template<Data> = (data, say) => ({
  subject: say('support_session.subject'),
  preheader: say('support_session.preheader'),
  heading: say('support_session.subject'),
  greeting: greet(say, data.name),
  body: [say('support_session.body', { minutes: ours(String(data.minutes)) }), say('support_session.limits')],
  button: { label: say('support_session.button'), url: data.url },
  expiry: null,
  aside: say('support_session.aside'),
  footer: say('support_session.footer'),
})
