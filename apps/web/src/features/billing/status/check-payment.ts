import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { putAnswer } from '../../../lib/data/query.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'
import { bannerOf } from './banner.ts'

/** Checks whether the bank has confirmed the payment and shows the result in a toast. */
export async function checkPendingPayment(): Promise<void> {
  const now = await attempt(api.billing.subscription())
  if (!now) return
  putAnswer(api.billing.subscription, now)
  if (bannerOf(now.status)) {
    toast({ title: t('billing.banner.still'), description: t('billing.banner.still_text') })
  } else {
    refreshBilling()
    toast({ variant: 'success', title: t('billing.banner.done') })
  }
}
