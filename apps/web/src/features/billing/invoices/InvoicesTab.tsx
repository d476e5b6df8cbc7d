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

/** What was asked for so far, the newest first, and each as a file. */
export function InvoicesTab() {
  const t = useT()
  const { subscription } = useSignedIn()
  const { rows, failed, retry, more } = useInvoices()
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
          // No invoice is searched for, chosen or changed.
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
          more && (
            <div className="pager">
              <span className="num" role="status">
                {t('billing.invoices.shown', { count: rows?.length ?? 0 })}
              </span>
              <Button size="sm" onClick={more}>
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

/** The newest invoices as they are now, and below them the older ones that were loaded. */
function useInvoices() {
  const { data, page, failed, retry } = usePage(api.billing.invoices, { query: {} })
  const [kept, setKept] = useState<Older | null>(null)
  const last = data?.at(-1)?.id
  // A new invoice moves the others down: what was read below the old ones would leave a gap.
  const older = kept?.after === last ? kept : null
  const rows = data && [...data, ...(older?.rows ?? [])]
  const next = (older ?? page)?.next ?? null

  async function more(): Promise<void> {
    if (!next || !last) return
    const call = api.billing.invoices({ query: { cursor: next } })
    const read = await attempt(call)
    if (!read) return
    const { page } = await call
    setKept({ after: last, rows: [...(older?.rows ?? []), ...read], next: page?.next ?? null })
  }

  return { rows, failed, retry, more: next ? more : null }
}
