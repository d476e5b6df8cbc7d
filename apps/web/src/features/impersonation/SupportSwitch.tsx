import { useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { putAnswer } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { attemptWithStepUp } from '../../lib/step-up/with-step-up.ts'
import { Switch } from '../../ui/form/Switch.tsx'

/** The user's consent to support access. Changes at once, and back when saving fails. */
export function SupportSwitch({ allowed }: { allowed: boolean }) {
  const t = useT()
  const [on, setOn] = useState(allowed)
  const id = useId()

  async function saveConsent(support_enabled: boolean): Promise<void> {
    setOn(support_enabled)
    const saved = await attemptWithStepUp(proof =>
      api.profile.update({ body: { support_enabled, ...proof } }),
    )
    setOn(saved?.support_enabled ?? !support_enabled)
    // The profile and the help page both show it.
    if (saved) putAnswer(api.profile.read, saved)
  }

  return (
    <div className="row between flex-nowrap">
      <div>
        <div className="med" id={id}>
          {t('account.support.switch')}
        </div>
        <p className="help" id={`${id}-help`}>
          {t('account.support.help')}
        </p>
      </div>
      <Switch
        checked={on}
        onChange={next => void saveConsent(next)}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
      />
    </div>
  )
}
