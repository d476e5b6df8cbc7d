import { useT } from '../lib/i18n/translate.ts'
import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Lost } from '../ui/Lost.tsx'

/** For addresses that lead nowhere. A stranger's way to the dashboard ends, by the guard, at the sign-in page. */
export function NotFoundScreen() {
  const t = useT()
  return (
    <Lost
      title={t('global.not_found.heading')}
      action={
        <ButtonLink variant="primary" href={paths.dashboard}>
          {t('global.not_found.button')}
        </ButtonLink>
      }
    >
      {t('global.not_found.text')}
    </Lost>
  )
}
