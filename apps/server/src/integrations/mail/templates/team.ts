import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** `role` is the label of the role in the language of the mail. */
export const inviteAccepted: Template<{
  name: string
  person: string
  email: string
  account_name: string
  role: string
  url: string
}> = (data, say) => {
  const { person, account_name } = data
  return {
    subject: say('invite_accepted.subject', { person, account_name }),
    preheader: say('invite_accepted.preheader'),
    heading: say('invite_accepted.subject', { person, account_name }),
    greeting: greet(say, data.name),
    body: [
      say('invite_accepted.body', { person, email: ours(data.email), account_name }),
      say('invite_accepted.role', { role: ours(data.role) }),
    ],
    button: { label: say('invite_accepted.button'), url: data.url },
    expiry: null,
    aside: say('invite_accepted.aside'),
    footer: say('invite_accepted.footer'),
  }
}

export const roleChanged: Template<{
  name: string
  account_name: string
  /** Who changed it. */
  by: string
  role: string
  url: string
}> = (data, say) => {
  const { account_name, by } = data
  return {
    subject: say('role_changed.subject', { account_name }),
    preheader: say('role_changed.preheader', { role: ours(data.role) }),
    heading: say('role_changed.subject', { account_name }),
    greeting: greet(say, data.name),
    body: [say('role_changed.body', { by, account_name, role: ours(data.role) })],
    button: { label: say('role_changed.button'), url: data.url },
    expiry: null,
    aside: say('role_changed.aside'),
    footer: say('role_changed.footer', { account_name }),
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
  /** The owner who did it, and the member who became one. */
  by: string
  to: string
  event: keyof typeof events
  url: string
}> = ({ name, account_name, by, to, event, url }, say) => ({
  subject: say(events[event].subject, { account_name, to }),
  preheader: say('ownership.preheader'),
  heading: say(events[event].subject, { account_name, to }),
  greeting: greet(say, name),
  body: [say(events[event].body, { account_name, by, to })],
  button: { label: say('ownership.button'), url },
  expiry: null,
  aside: say('ownership.aside'),
  footer: say('ownership.footer', { account_name }),
})

/** For somebody whom an administrator has made a user; the password comes from there, never by mail. */
export const userCreated: Template<{
  name: string
  by: string
  account_name: string
  url: string
  hours: number
}> = (data, say, to) => {
  const { by, account_name } = data
  return {
    subject: say('user_created.subject', { by, account_name }),
    preheader: say('user_created.preheader'),
    heading: say('user_created.heading', { account_name }),
    greeting: greet(say, data.name),
    body: [
      say('user_created.body', { by, account_name, email: ours(to) }),
      say('user_created.password', { by }),
    ],
    button: { label: say('user_created.button'), url: data.url },
    expiry: say('layout.link_hours', { count: data.hours }),
    aside: say('user_created.aside', { by }),
    footer: say('user_created.footer', { by }),
  }
}
