import { useEffect, useState } from 'react'
import { readSettings, type Settings } from '../../../lib/api/settings.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import type { CardFieldProps } from '../../../lib/inputs/card.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { CardNotLoaded } from './CardNotLoaded.tsx'
import { SandboxCard } from './SandboxCard.tsx'
import { StripeCard } from './StripeCard.tsx'

/**
 * The card of a form. Which provider takes it is a matter of the installation's settings, never of the look of a
 * key: each provider is a component that draws the card and hands the form its adapter.
 */
export function CardInput(props: CardFieldProps) {
  const t = useT()
  const { settings, failed, again } = useProvider()
  if (failed) return <CardNotLoaded again={again} />
  if (!settings) {
    return (
      <Loading label={t('global.loading')}>
        <Skeleton height="36px" />
      </Loading>
    )
  }
  const { sandbox_url, publishable_key } = settings.payments
  return sandbox_url ? <SandboxCard {...props} /> : <StripeCard {...props} publishableKey={publishable_key} />
}

/** Who takes the card. No boxes are drawn before that is certain: a real card has nothing to do in the sandbox's. */
function useProvider() {
  const [settings, setSettings] = useState<Settings | null>(null)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  // Asked once per page and kept outside React.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks anew
  useEffect(() => {
    let gone = false
    readSettings()
      .then(known => gone || setSettings(known))
      .catch(error => {
        console.error(error)
        if (!gone) setFailed(true)
      })
    return () => {
      gone = true
    }
  }, [tries])
  return {
    settings,
    failed,
    again() {
      setFailed(false)
      setTries(tries + 1)
    },
  }
}
