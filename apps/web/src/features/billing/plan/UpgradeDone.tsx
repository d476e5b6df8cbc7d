import { useEffect } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'

/** In milliseconds. */
const redirectDelay = 2500

/** Confirms the upgrade and redirects to the dashboard, unless the user leaves the page first. */
export function UpgradeDone({ plan }: { plan: string }) {
  const t = useT()
  useEffect(() => {
    const timer = setTimeout(() => navigate(paths.dashboard, { replace: true }), redirectDelay)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div ref={takeFocus} tabIndex={-1} className="py-6 outline-none">
      <Alert
        tone="success"
        announce="status"
        title={t('billing.upgrade.done', { plan })}
        action={<ButtonLink href={paths.dashboard}>{t('billing.upgrade.to_dashboard')}</ButtonLink>}
      >
        {t('billing.upgrade.done_text')}
      </Alert>
    </div>
  )
}
