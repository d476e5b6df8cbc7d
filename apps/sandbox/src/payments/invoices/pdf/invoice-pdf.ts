import PDFDocument from 'pdfkit'
import type { SandboxContext } from '../../../context.ts'
import type { Invoice, InvoiceLine } from '../../../objects/billing-objects.ts'
import { moneyText } from '../../prices/money.ts'
import { intentOf } from '../invoices.ts'
import { type Placed, wrapText, writeLine } from './pdf-text.ts'

const seller = [
  'Plinth',
  '100 Sandbox Street',
  'San Francisco, CA 94103',
  'United States',
  'billing@plinth.example',
]

const left = 56
const right = 539
/** Maximum characters of a line beside the amount, and in half of the page. */
const mostInItem = 76
const mostInColumn = 38
const gray = '#5f6368'

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
const date = (time: number) => dates.format(time * 1000)
const period = ({ start, end }: { start: number; end: number }) =>
  days.formatRange(start * 1000, end * 1000).replaceAll(/\s+/g, ' ')

const brands: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

/** Discounts between the lines and the total. */
function adjustments(invoice: Invoice): [string, number][] {
  const rows = (invoice.total_discount_amounts ?? []).map((one): [string, number] => {
    const coupon = invoice._discounts?.find(({ id }) => id === one.discount)?._coupon
    return [`Discount ${coupon?.name ?? coupon?.id ?? ''}`.trim(), -one.amount]
  })
  return rows.length > 0 ? [['Subtotal', invoice.subtotal], ...rows] : []
}

/** Method and date of the payment; null while unpaid. */
function paymentText(context: SandboxContext, invoice: Invoice): string | null {
  const at = invoice.status_transitions.paid_at
  if (invoice.status !== 'paid' || !at) return null
  const method = intentOf(context, invoice)?.payment_method
  const card =
    invoice.amount_paid > 0 && method ? context.store.get('payment_method', method)?.card : undefined
  const how = card ? ` with ${brands[card.brand] ?? 'card'} ending ${card.last4}` : ''
  return `Paid on ${date(at)}${how}`
}

const states = {
  draft: 'Draft',
  open: 'Payment due',
  paid: 'Paid',
  uncollectible: 'Written off',
  void: 'Void',
} as const

/** Lowest position on a page for a line and for the totals. */
const lowestLine = 730
const lowestSums = 620

export async function invoicePdf(context: SandboxContext, invoice: Invoice): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.4',
    info: { Title: titleOf(invoice) },
  })
  const parts: Buffer[] = []
  document.on('data', (part: Buffer) => parts.push(part))
  const done = new Promise(resolve => document.on('end', resolve))
  const write = (text: string, placed: Placed, align?: 'left' | 'right') =>
    writeLine(document, text, placed, align)
  let y = await writeHead(write, invoice)
  const turnPage = () => {
    document.addPage()
    y = 80
  }
  for (const line of invoice.lines.data) {
    if (y > lowestLine) turnPage()
    y += await writeItem(write, line, y)
    document
      .moveTo(left, y - 18)
      .lineTo(right, y - 18)
      .lineWidth(0.5)
      .stroke('#e3e3e3')
  }
  if (y > lowestSums) turnPage()
  y = await writeSums(write, invoice, y + 6)
  const paid = paymentText(context, invoice)
  if (paid) await write(paid, { x: left, y: y + 30, size: 10 })
  await write('Issued by the Plinth sandbox. No money has moved.', { x: left, y: 800, size: 8, color: gray })
  document.end()
  await done
  return Buffer.concat(parts)
}

const titleOf = (invoice: Invoice) => `Invoice ${invoice.number ?? 'draft'}`

type Write = (text: string, placed: Placed, align?: 'left' | 'right') => Promise<void>

/** @returns the position of the first line */
async function writeHead(write: Write, invoice: Invoice): Promise<number> {
  await write('Invoice', { x: left, y: 84, size: 24, weight: 600 })
  await write(states[invoice.status], { x: right, y: 84, size: 12, weight: 600, color: gray }, 'right')
  const facts = [
    ['Invoice number', invoice.number ?? 'Draft'],
    ['Date of issue', date(invoice.effective_at ?? invoice.created)],
    ['Billing period', period({ start: invoice.period_start, end: invoice.period_end })],
  ]
  const lines = invoice.lines.data
  if (lines.length > 0) {
    const start = Math.min(...lines.map(line => line.period.start))
    const end = Math.max(...lines.map(line => line.period.end))
    facts[2] = ['Billing period', period({ start, end })]
  }
  for (const [row, [label = '', value = '']] of facts.entries()) {
    await write(label, { x: left, y: 116 + row * 16, size: 10, color: gray })
    await write(value, { x: left + 110, y: 116 + row * 16, size: 10 })
  }
  const names = wrapText(invoice.customer_name ?? invoice.customer, mostInColumn)
  const buyer = [...names, ...wrapText(invoice.customer_email ?? '', mostInColumn)]
  for (const [x, title, rows, bold] of [
    [left, 'From', seller, 1],
    [310, 'Bill to', buyer, names.length],
  ] as const) {
    await write(title, { x, y: 196, size: 10, color: gray })
    for (const [row, text] of rows.entries())
      await write(text, { x, y: 214 + row * 15, size: 10, weight: row < bold ? 600 : 400 })
  }
  const y = 231 + Math.max(seller.length, buyer.length) * 15
  await write('Description', { x: left, y, size: 9, color: gray })
  await write('Amount', { x: right, y, size: 9, color: gray }, 'right')
  return y + 24
}

/** @returns its height */
async function writeItem(write: Write, line: InvoiceLine, y: number): Promise<number> {
  const texts = wrapText(line.description ?? '', mostInItem)
  for (const [row, text] of texts.entries()) await write(text, { x: left, y: y + row * 13, size: 10 })
  const height = Math.max(1, texts.length) * 13
  await write(period(line.period), { x: left, y: y + height, size: 8.5, color: gray })
  await write(moneyText(line.amount, line.currency), { x: right, y, size: 10 }, 'right')
  return height + 27
}

async function writeSums(write: Write, invoice: Invoice, start: number): Promise<number> {
  const credit = invoice.amount_due - invoice.total
  const rows: [string, number, boolean][] = [
    ...adjustments(invoice).map(([label, amount]): [string, number, boolean] => [label, amount, false]),
    ['Total', invoice.total, true],
    ...(credit < 0 && invoice.total > 0 ? [['Credit used', credit, false] as [string, number, boolean]] : []),
    ...(invoice.amount_paid > 0
      ? [['Amount paid', -invoice.amount_paid, false] as [string, number, boolean]]
      : []),
    ['Amount due', invoice.amount_remaining, true],
  ]
  let y = start
  for (const [label, amount, bold] of rows) {
    const weight = bold ? 600 : 400
    await write(label, { x: 310, y, size: 10, weight })
    await write(moneyText(amount, invoice.currency), { x: right, y, size: 10, weight }, 'right')
    y += 18
  }
  return y
}
