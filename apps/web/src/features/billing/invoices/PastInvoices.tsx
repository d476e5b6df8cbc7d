import { api } from '../../../lib/api/client.ts'
import { usePage } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { InvoicesTab } from './InvoicesTab.tsx'

/** Invoices of an earlier paid plan, shown on the free plan, which has no invoices tab. */
export function PastInvoices() {
  const t = useT()
  const { data } = usePage(api.billing.invoices, { query: {} })
  if (!data?.length) return null
  return (
    <div className="stack stack-3">
      <h2 className="h2">{t('billing.invoices.past')}</h2>
      <InvoicesTab />
    </div>
  )
}
