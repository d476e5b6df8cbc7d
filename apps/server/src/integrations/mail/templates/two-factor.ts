import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

type Data = {
  name: string
  happened: 'enabled' | 'replaced' | 'disabled' | 'backup_renewed' | 'backup_used' | 'guessed'
  /** Link to the two-factor page. */
  url: string
}

/** Literal keys, so that the test for unused keys finds them. */
const texts = {
  enabled: { subject: 'two_factor.enabled_subject', body: 'two_factor.enabled' },
  replaced: { subject: 'two_factor.replaced_subject', body: 'two_factor.replaced' },
  disabled: { subject: 'two_factor.disabled_subject', body: 'two_factor.disabled' },
  backup_renewed: { subject: 'two_factor.backup_renewed_subject', body: 'two_factor.backup_renewed' },
  backup_used: { subject: 'two_factor.backup_used_subject', body: 'two_factor.backup_used' },
  guessed: { subject: 'two_factor.guessed_subject', body: 'two_factor.guessed' },
} as const

/** Tells users that their two-factor settings changed. */
export const twoFactor: Template<Data> = ({ name, happened, url }, translate) => ({
  subject: translate(texts[happened].subject),
  preheader: translate('two_factor.preheader'),
  greeting: greeting(translate, name),
  body: [translate(texts[happened].body)],
  button: { label: translate('two_factor.button'), url },
  aside: translate('two_factor.aside'),
  footer: translate('two_factor.footer'),
})
