import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { useQueryValue } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { TextLink } from '../../ui/Link.tsx'
import { type Banner, bannerOf } from './banner.ts'
import { lookAgain } from './look-again.ts'
import { tabPath } from './tabs.ts'

/** What is wrong with the subscription, and what to do about it. Gone as soon as it runs again. */
export function StatusBanner({ status }: { status: string | null }) {
  const t = useT()
  const banner = bannerOf(status)
  // Where the card is changed, a link to that place would lead nowhere.
  const there = useQueryValue('tab') === 'card'
  if (!banner) return null
  return (
    <Alert tone={banner.tone} title={t(banner.title)} action={actionOf(banner, there, t)}>
      <p>
        {t(banner.text)}
        {banner.does === 'look' && !there && (
          <>
            {' '}
            <TextLink href={tabPath('card')}>{t('billing.banner.other_card')}</TextLink>
          </>
        )}
      </p>
    </Alert>
  )
}

function actionOf({ does }: Banner, there: boolean, t: Translate) {
  if (does === 'look') return <Button onClick={lookAgain}>{t('billing.banner.look')}</Button>
  if (does === 'card')
    return !there && <ButtonLink href={tabPath('card')}>{t('billing.banner.card')}</ButtonLink>
  return (
    <ButtonLink variant="primary" href={paths.plan}>
      {t('billing.button.none')}
    </ButtonLink>
  )
}
