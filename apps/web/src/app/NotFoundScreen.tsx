import { useT } from '../lib/i18n/translate.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/store.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Lost } from '../ui/Lost.tsx'

/**
 * For addresses that lead nowhere; inside the app's frame for whoever is signed in. A stranger's way to the dashboard
 * ends, by the guard, at the sign-in page.
 */
export function NotFoundScreen() {
  const t = useT()
  const inside = useSession() !== null
  return (
    <Lost
      inside={inside}
      brand={t('global.app')}
      title={t('global.not_found.heading')}
      action={
        <ButtonLink variant="primary" href={paths.dashboard}>
          {t('global.not_found.button')}
        </ButtonLink>
      }
    >
      {inside ? `${t('global.not_found.text')} ${t('global.not_found.kept')}` : t('global.not_found.text')}
    </Lost>
  )
}
