import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

/** `role` is the label of the role in the language of the mail. */
export const inviteAccepted: Template<{
  name: string
  person: string
  email: string
  account_name: string
  role: string
  url: string
}> = (data, translate) => {
  const { person, account_name } = data
  return {
    subject: translate('invite_accepted.subject', { person, account_name }),
    preheader: translate('invite_accepted.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      translate('invite_accepted.body', { person, email: trustedText(data.email), account_name }),
      translate('invite_accepted.role', { role: trustedText(data.role) }),
    ],
    button: { label: translate('invite_accepted.button'), url: data.url },
    aside: translate('invite_accepted.aside'),
    footer: translate('invite_accepted.footer'),
  }
}

export const roleChanged: Template<{
  name: string
  account_name: string
  /** Name of the person who made the change. */
  by: string
  role: string
  url: string
}> = (data, translate) => {
  const { account_name, by } = data
  return {
    subject: translate('role_changed.subject', { account_name }),
    preheader: translate('role_changed.preheader', { role: trustedText(data.role) }),
    greeting: greeting(translate, data.name),
    body: [translate('role_changed.body', { by, account_name, role: trustedText(data.role) })],
    button: { label: translate('role_changed.button'), url: data.url },
    aside: translate('role_changed.aside'),
    footer: translate('role_changed.footer', { account_name }),
  }
}

const events = {
  received: { subject: 'ownership.received_subject', body: 'ownership.received' },
  given: { subject: 'ownership.given_subject', body: 'ownership.given' },
  shared: { subject: 'ownership.shared_subject', body: 'ownership.shared' },
} as const

export const ownership: Template<{
  name: string
  account_name: string
  /** The previous owner and the new owner. */
  by: string
  to: string
  event: keyof typeof events
  url: string
}> = ({ name, account_name, by, to, event, url }, translate) => ({
  subject: translate(events[event].subject, { account_name, to }),
  preheader: translate('ownership.preheader'),
  greeting: greeting(translate, name),
  body: [translate(events[event].body, { account_name, by, to })],
  button: { label: translate('ownership.button'), url },
  aside: translate('ownership.aside'),
  footer: translate('ownership.footer', { account_name }),
})

/** To a user created by an administrator, who hands over the password; it is never mailed. */
export const userCreated: Template<{
  name: string
  by: string
  account_name: string
  url: string
  hours: number
}> = (data, translate, to) => {
  const { by, account_name } = data
  return {
    subject: translate('user_created.subject', { by, account_name }),
    preheader: translate('user_created.preheader'),
    heading: translate('user_created.heading', { account_name }),
    greeting: greeting(translate, data.name),
    body: [
      translate('user_created.body', { by, account_name, email: trustedText(to) }),
      translate('user_created.password', { by }),
    ],
    button: { label: translate('user_created.button'), url: data.url },
    expiry: translate('layout.link_hours', { count: data.hours }),
    aside: translate('user_created.aside', { by }),
    footer: translate('user_created.footer', { by }),
  }
}
