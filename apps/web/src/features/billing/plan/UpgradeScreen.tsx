import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { forgetReason, readReason } from '../../../lib/upgrade-reason.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { Breadcrumb } from '../../../ui/layout/Breadcrumb.tsx'
import { LoadFailed } from '../shared/LoadFailed.tsx'
import { PaymentDueNotice } from '../status/PaymentDueNotice.tsx'
import { isDue } from '../status/subscription.ts'
import { UpgradeDone } from './UpgradeDone.tsx'
import { UpgradeForm } from './UpgradeForm.tsx'
import { UpgradeSkeleton } from './UpgradeSkeleton.tsx'

/** Upgrade to a paid plan. Calls that the current plan does not allow redirect here. */
export function UpgradeScreen() {
  const t = useT()
  const reason = useUpgradeReason()
  const list = useApi(api.billing.plans)
  const subscription = useApi(api.billing.subscription)
  const [done, setDone] = useState<string | null>(null)

  function body(): ReactNode {
    if (done) return <UpgradeDone plan={done} />
    if (subscription.data && isDue(subscription.data))
      return (
        <div className="py-6">
          <PaymentDueNotice />
        </div>
      )
    if (list.data && subscription.data) {
      return (
        <Section title={t('billing.upgrade.heading')} text={t('billing.plan.text')}>
          <UpgradeForm plans={list.data.plans} subscription={subscription.data} onDone={setDone} />
        </Section>
      )
    }
    if (!list.failed && !subscription.failed) return <UpgradeSkeleton />
    return (
      <LoadFailed
        title={t('billing.failed')}
        text={t('billing.failed_text')}
        retry={() => {
          if (list.failed) list.retry()
          if (subscription.failed) subscription.retry()
        }}
      />
    )
  }
  return (
    <div>
      <Breadcrumb
        label={t('billing.upgrade.crumbs')}
        items={[{ name: t('account.nav.billing'), url: paths.billing }, { name: t('billing.upgrade.title') }]}
      />
      {reason && !done && (
        <Alert className="mt-4" title={t('billing.upgrade.reason')}>
          {reason}
        </Alert>
      )}
      {body()}
    </div>
  )
}

/** The message of the refused call that redirected here; null without one. */
function useUpgradeReason(): string | null {
  const [reason] = useState(readReason)
  // Cleared in an effect, because React may discard a render.
  useEffect(forgetReason, [])
  return reason
}
