import { useEffect } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'

/** How long the good news is shown (specification, section 9). */
const leaveAfter = 2500

/** The account has its plan. Goes on by itself; whoever leaves earlier is not fetched back. */
export function UpgradeDone({ plan }: { plan: string }) {
  const t = useT()
  // The clock is outside React.
  useEffect(() => {
    const timer = setTimeout(() => navigate(paths.dashboard, { replace: true }), leaveAfter)
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
