import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

type Data = {
  name: string
  event: 'created' | 'changed' | 'revealed' | 'revoked' | 'deleted'
  /** Names of the affected keys, at least one. */
  keys: string[]
  account_name: string
  /** Name of the person who did it; null when it is the recipient. */
  by: string | null
  /** Link to the list of keys. */
  url: string
}

const texts = {
  created: { subject: 'api_key.created_subject', body: 'api_key.created' },
  changed: { subject: 'api_key.changed_subject', body: 'api_key.changed' },
  revealed: { subject: 'api_key.revealed_subject', body: 'api_key.revealed' },
  revoked: { subject: 'api_key.revoked_subject', body: 'api_key.revoked' },
  deleted: { subject: 'api_key.deleted_subject', body: 'api_key.deleted' },
} as const

/** Names at most this many keys; the rest is a count. */
const most = 10

/** API keys of the recipient, or keys the recipient manages, were created, changed or deleted. */
export const apiKey: Template<Data> = ({ event, keys, account_name, ...data }, translate) => {
  const { subject, body } = texts[event]
  const rest = keys.length - most
  return {
    subject: translate(subject, { account_name }),
    preheader: translate('api_key.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      ...keys.slice(0, most).map(key => translate(body, { key, account_name })),
      ...(rest > 0 ? [translate('api_key.more', { count: rest })] : []),
      ...(data.by ? [translate('api_key.by', { by: data.by })] : []),
    ],
    button: { label: translate('api_key.button'), url: data.url },
    aside: translate('api_key.aside'),
    footer: translate('api_key.footer', { account_name }),
  }
}

/** A key is about to stop working. */
export const apiKeyEnds: Template<{ name: string; key: string; days: number; url: string }> = (
  data,
  translate,
) => {
  const { key, days } = data
  return {
    subject: translate('api_key_ends.subject', { count: days }),
    preheader: translate('api_key_ends.preheader'),
    heading: translate('api_key_ends.heading'),
    greeting: greeting(translate, data.name),
    body: [translate('api_key_ends.body', { count: days, key }), translate('api_key_ends.next')],
    button: { label: translate('api_key_ends.button'), url: data.url },
    aside: translate('api_key_ends.aside'),
    footer: translate('api_key_ends.footer'),
  }
}
