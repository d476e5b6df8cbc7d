import type { Contract, Reply } from '@plinth/contract'
import Download from 'lucide-react/icons/download'
import { billingDay, money } from '../../../lib/i18n/format.ts'
import type { TextKey } from '../../../lib/i18n/texts.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'
import { Badge } from '../../../ui/base/Badge.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import type { Column } from '../../../ui/table/table-view.ts'

export type Invoice = Reply<Contract['billing']['invoices']>[number]

const statusTexts: Record<Invoice['status'], TextKey> = {
  draft: 'billing.invoices.draft',
  open: 'billing.invoices.open',
  paid: 'billing.invoices.paid',
  uncollectible: 'billing.invoices.uncollectible',
  void: 'billing.invoices.void',
}

export function invoiceColumns(t: Translate): Column<Invoice>[] {
  const date = (invoice: Invoice) => <time dateTime={invoice.date}>{billingDay(invoice.date)}</time>
  return [
    {
      key: 'number',
      label: t('billing.invoices.number'),
      sortable: false,
      cell: invoice => (
        <>
          {invoiceNumber(invoice, t)}
          <span className="in-cards t13 ink3">{date(invoice)}</span>
        </>
      ),
    },
    { key: 'date', label: t('billing.invoices.date'), sortable: false, card: 'hide', cell: date },
    {
      key: 'status',
      label: t('billing.invoices.status'),
      sortable: false,
      card: 'hide',
      cell: invoice => statusBadge(invoice, t),
    },
    {
      key: 'total',
      label: t('billing.invoices.total'),
      sortable: false,
      end: true,
      card: 'inline',
      cell: invoice => (
        <>
          <span className="num text-ink">{money(invoice.total, invoice.currency)}</span>
          {refundTexts(invoice, t)}
          <span className="in-cards">{statusBadge(invoice, t)}</span>
        </>
      ),
    },
    {
      key: 'pdf',
      label: t('billing.invoices.pdf'),
      sortable: false,
      end: true,
      card: 'inline',
      cell: invoice => (
        <span className="row inline-flex gap-1">
          <PayLink invoice={invoice} t={t} />
          <PdfLink invoice={invoice} t={t} />
        </span>
      ),
    },
  ]
}

/** A draft has no number until it is finalized. */
const invoiceNumber = ({ number }: Invoice, t: Translate) => number ?? t('billing.invoices.no_number')

function statusBadge({ status, total, refunded, credited }: Invoice, t: Translate) {
  if (refunded > 0) {
    return (
      <Badge>{t(refunded < total ? 'billing.invoices.partly_refunded' : 'billing.invoices.refunded')}</Badge>
    )
  }
  // A credit note over the whole amount also sets the status to paid.
  if (status === 'paid' && credited >= total && total > 0)
    return <Badge>{t('billing.invoices.credited')}</Badge>
  return <Badge color={status === 'paid' ? 'green' : 'red'}>{t(statusTexts[status])}</Badge>
}

/** Refunded and credited amounts. The provider adds a negative invoice to the customer's balance. */
function refundTexts({ status, total, refunded, credited, currency }: Invoice, t: Translate) {
  const texts = [
    total < 0 && status === 'paid' && t('billing.invoices.to_balance'),
    refunded > 0 && t('billing.invoices.amount_refunded', { amount: money(refunded, currency) }),
    credited > 0 && t('billing.invoices.amount_credited', { amount: money(credited, currency) }),
  ]
  return texts.map(
    text =>
      text && (
        <span key={text} className="t13 ink3 block">
          {text}
        </span>
      ),
  )
}

/** Link to the provider's payment page of an open invoice. */
function PayLink({ invoice, t }: { invoice: Invoice; t: Translate }) {
  if (!invoice.page) return null
  const label = t('billing.invoices.pay_named', { number: invoiceNumber(invoice, t) })
  return (
    <ButtonLink size="sm" href={invoice.page} target="_blank" rel="noopener" aria-label={label}>
      {t('billing.invoices.pay')}
    </ButtonLink>
  )
}

function PdfLink({ invoice, t }: { invoice: Invoice; t: Translate }) {
  if (!invoice.invoice_pdf) return null
  return (
    <ButtonLink
      variant="ghost"
      size="sm"
      href={invoice.invoice_pdf}
      target="_blank"
      rel="noopener"
      aria-label={t('billing.invoices.download_named', { number: invoiceNumber(invoice, t) })}
      icon={<Icon of={Download} />}
    >
      <span className="in-rows">{t('billing.invoices.download')}</span>
    </ButtonLink>
  )
}
