import { api } from '../../../lib/api/client.ts'
import { putAnswer } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { accountLabel } from '../../../lib/session/account-label.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { attemptWithStepUp } from '../../../lib/step-up/with-step-up.ts'
import { Field } from '../../../ui/base/Field.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import type { Profile } from './ProfileForms.tsx'

/** Chooses the account that opens at sign-in. Hidden when the user has only one account. */
export function DefaultAccount({ profile }: { profile: Profile }) {
  const t = useT()
  const { accounts } = useSignedIn()
  if (accounts.length < 2) return null

  async function saveDefaultAccount(default_account: string): Promise<void> {
    putAnswer(api.profile.read, { ...profile, default_account })
    const saved = await attemptWithStepUp(proof =>
      api.profile.update({ body: { default_account, ...proof } }),
    )
    putAnswer(api.profile.read, saved ?? profile)
  }

  return (
    <Field
      label={t('account.profile.default_account')}
      help={t('account.profile.default_account_help', { count: accounts.length })}
    >
      <Select
        // Without a choice the oldest account opens.
        value={profile.default_account ?? accounts[0]?.id ?? ''}
        options={accounts.map(account => {
          const line = accountLabel(t, account, accounts)
          return { value: account.id, label: line ? `${account.name} (${line})` : account.name }
        })}
        onChange={event => void saveDefaultAccount(event.target.value)}
      />
    </Field>
  )
}
