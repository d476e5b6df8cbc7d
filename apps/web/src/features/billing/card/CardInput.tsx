import { useEffect, useState } from 'react'
import { readSettings, type Settings } from '../../../lib/api/settings.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import type { CardFieldProps } from '../../../lib/inputs/card.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { CardNotLoaded } from './CardNotLoaded.tsx'
import { SandboxCard } from './SandboxCard.tsx'
import { StripeCard } from './StripeCard.tsx'

/**
 * The card field of a form. The settings of the installation decide which provider's component is shown; that component
 * gives its adapter to the form.
 */
export function CardInput(props: CardFieldProps) {
  const t = useT()
  const { settings, failed, retry } = usePaymentSettings()
  if (failed) return <CardNotLoaded retry={retry} />
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

/** Shows no field before the settings are loaded, so that a real card is never typed into the sandbox field. */
function usePaymentSettings() {
  const [settings, setSettings] = useState<Settings | null>(null)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` triggers a retry
  useEffect(() => {
    let isUnmounted = false
    readSettings()
      .then(loaded => isUnmounted || setSettings(loaded))
      .catch(error => {
        console.error(error)
        if (!isUnmounted) setFailed(true)
      })
    return () => {
      isUnmounted = true
    }
  }, [tries])
  return {
    settings,
    failed,
    retry() {
      setFailed(false)
      setTries(tries + 1)
    },
  }
}
