import { clock } from '../../lib/i18n/format.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { useSession } from '../../lib/session/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import './support-banner.css'

/** On every page during support access: the user's name, the end time, and a button to end it. */
export function SupportBanner() {
  const t = useT()
  const user = useSession()
  if (!user?.support_until) return null
  return (
    <aside className="support-banner" aria-label={t('global.support.region')}>
      <p>
        <b>{t('global.support.acting', { name: user.name })}</b>
        {' · '}
        <span className="ink2 tnum">{t('global.support.ends', { time: clock(user.support_until) })}</span>
      </p>
      <Button size="sm" onClick={signOut}>
        {t('global.support.end')}
      </Button>
    </aside>
  )
}
