import ReceiptText from 'lucide-react/icons/receipt-text'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { usePage } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'
import { Table } from '../../../ui/table/Table.tsx'
import { LoadFailed } from '../shared/LoadFailed.tsx'
import { type Invoice, invoiceColumns } from './invoice-columns.tsx'

/** All invoices, newest first, with a PDF link each. */
export function InvoicesTab() {
  const t = useT()
  const { subscription } = useSignedIn()
  const { rows, failed, retry, loadMore } = useInvoices()
  if (failed && !rows)
    return (
      <LoadFailed
        title={t('billing.invoices.failed')}
        text={t('billing.invoices.failed_text')}
        retry={retry}
      />
    )
  const title = t('billing.tabs.invoices')
  const isOwedAfterEnd = subscription === 'canceled' && rows?.some(({ status }) => status === 'open')
  return (
    <Card aria-label={title}>
      {isOwedAfterEnd && (
        <div className="p-4">
          <Alert tone="info" title={t('billing.invoices.ended')}>
            {t('billing.invoices.ended_text')}
          </Alert>
        </div>
      )}
      <Table
        remote
        columns={invoiceColumns(t)}
        rows={rows}
        blank={
          <EmptyState icon={ReceiptText} title={t('billing.invoices.none')}>
            {t('billing.invoices.none_text')}
          </EmptyState>
        }
        texts={{
          label: title,
          empty: t('billing.invoices.none'),
          loading: t('global.loading'),
          // The table offers no search, selection or row actions.
          search: '',
          noResults: '',
          actions: '',
          actionsFor: () => '',
          selectAll: '',
          select: () => '',
          selected: String,
          clear: '',
        }}
        footer={
          loadMore && (
            <div className="pager">
              <span className="num" role="status">
                {t('billing.invoices.shown', { count: rows?.length ?? 0 })}
              </span>
              <Button size="sm" onClick={loadMore}>
                {t('billing.invoices.older')}
              </Button>
            </div>
          )
        }
      />
    </Card>
  )
}

type Older = { after: string; rows: Invoice[]; next: string | null }

/** The first page of invoices, followed by the older ones that the user has loaded. */
function useInvoices() {
  const { data, page, failed, retry } = usePage(api.billing.invoices, { query: {} })
  const [loaded, setLoaded] = useState<Older | null>(null)
  const last = data?.at(-1)?.id
  // A new invoice shifts the first page, which would leave a gap before the older ones: drop them.
  const older = loaded?.after === last ? loaded : null
  const rows = data && [...data, ...(older?.rows ?? [])]
  const next = (older ?? page)?.next ?? null

  async function loadMore(): Promise<void> {
    if (!next || !last) return
    const call = api.billing.invoices({ query: { cursor: next } })
    const read = await attempt(call)
    if (!read) return
    const { page } = await call
    setLoaded({ after: last, rows: [...(older?.rows ?? []), ...read], next: page?.next ?? null })
  }

  return { rows, failed, retry, loadMore: next ? loadMore : null }
}
