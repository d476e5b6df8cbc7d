import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

type Data = {
  name: string
  event: 'added' | 'removed' | 'copied'
  /** Name chosen by the user. */
  passkey: string
  /** Link to the profile. */
  url: string
}

const texts = {
  added: { subject: 'passkey.added_subject', body: 'passkey.added' },
  removed: { subject: 'passkey.removed_subject', body: 'passkey.removed' },
  copied: { subject: 'passkey.copied_subject', body: 'passkey.copied' },
} as const

/** Tells users that one of their passkeys was added or removed. */
export const passkey: Template<Data> = (data, translate) => ({
  subject: translate(texts[data.event].subject),
  preheader: translate('passkey.preheader'),
  greeting: greeting(translate, data.name),
  body: [translate(texts[data.event].body, { passkey: data.passkey })],
  button: { label: translate('passkey.button'), url: data.url },
  aside: translate('passkey.aside'),
  footer: translate('passkey.footer'),
})
