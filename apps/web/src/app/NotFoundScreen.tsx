import { useT } from '../lib/i18n/translate.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/store.ts'
import { ButtonLink } from '../ui/base/Button.tsx'
import { NotFoundPanel } from '../ui/layout/NotFoundPanel.tsx'

/**
 * For unknown paths; in the app's frame for signed-in users. Signed out, the guard redirects the dashboard
 * link to the sign-in page, and the button says so.
 */
export function NotFoundScreen() {
  const t = useT()
  const inside = useSession() !== null
  return (
    <NotFoundPanel
      inside={inside}
      brand={t('global.app')}
      title={t('global.not_found.heading')}
      action={
        <ButtonLink variant="primary" href={paths.dashboard}>
          {t(inside ? 'global.not_found.button' : 'global.not_found.sign_in')}
        </ButtonLink>
      }
    >
      {inside ? `${t('global.not_found.text')} ${t('global.not_found.kept')}` : t('global.not_found.text')}
    </NotFoundPanel>
  )
}
