import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { attempt } from '../../lib/api/failure.ts'
import { useApi } from '../../lib/api/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { endOf, type Subscription } from './CurrentPlan.tsx'
import { readAgain, settle } from './changed.ts'
import { lastInvoiceTexts } from './last-invoice.ts'
import type { Plan } from './plan-texts.ts'
import { PriceChanged } from './price-changed.tsx'

type Props = { plan: Plan; subscription: Subscription; mayChange: boolean }

/** That the plan ends, and the way to take that back. */
export function EndNotice({ plan, subscription, mayChange }: Props) {
  const t = useT()
  const [isChanged, setChanged] = useState(false)
  const quote = useApi(api.billing.previewPlan, { query: { plan: plan.id } }, { fresh: true }).data?.quote

  const last = useApi(api.billing.upcoming, {}, { fresh: true }).data

  async function keep(): Promise<void> {
    const key = crypto.randomUUID()
    const answer = await attempt(
      api.billing.changePlan({ body: { plan: plan.id, quote }, key }),
      takeNewPrice,
    )
    if (answer) settle(answer, t('billing.now.kept', { plan: plan.name }))
  }

  function takeNewPrice(error: unknown): boolean {
    if (!(error instanceof ApiError) || error.code !== 'price_changed') return false
    setChanged(true)
    readAgain()
    return true
  }

  return (
    <>
      {isChanged && <PriceChanged />}
      <Alert
        title={endOf(subscription, t)}
        action={
          mayChange && quote && <Button onClick={keep}>{t('billing.now.keep', { plan: plan.name })}</Button>
        }
      >
        {[t('billing.now.ending_text'), ...lastInvoiceTexts(plan, last, t)].join(' ')}
      </Alert>
    </>
  )
}
