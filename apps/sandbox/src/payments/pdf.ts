import type { Invoice } from '../objects.ts'
import { moneyText } from './money.ts'

const pdfString = (text: string) => text.replaceAll(/[\\()]/g, '\\$&')

/** The standard fonts know Latin-1 only. */
const latin = (text: string) => text.replaceAll('×', 'x').replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?')

const date = (time: number) => new Date(time * 1000).toISOString().slice(0, 10)

interface Line {
  text: string
  x: number
  y: number
  size: number
  bold?: boolean
}

/** What stands between the lines and the total: the discounts and the taxes, when there are any. */
function adjustments(invoice: Invoice): [string, number][] {
  const discounts = (invoice.total_discount_amounts ?? []).map((one): [string, number] => {
    const coupon = invoice._discounts?.find(({ id }) => id === one.discount)?._coupon
    return [`Discount ${coupon?.name ?? coupon?.id ?? ''}`, -one.amount]
  })
  const taxes = (invoice.total_taxes ?? []).map((one): [string, number] => [
    one.tax_behavior === 'inclusive' ? 'Tax, included' : 'Tax',
    one.amount,
  ])
  const rows = [...discounts, ...taxes]
  return rows.length > 0 ? [['Subtotal', invoice.subtotal], ...rows] : []
}

function layout(invoice: Invoice): Line[] {
  const lines: Line[] = [
    { text: 'Invoice', x: 56, y: 770, size: 24, bold: true },
    { text: 'Plinth Sandbox: no money has moved', x: 56, y: 748, size: 10 },
    { text: `Number ${invoice.number ?? 'draft'}`, x: 56, y: 712, size: 11 },
    { text: `Date ${date(invoice.effective_at ?? invoice.created)}`, x: 56, y: 696, size: 11 },
    { text: `Status ${invoice.status}`, x: 56, y: 680, size: 11 },
    {
      text: `Billed to ${invoice.customer_name ?? invoice.customer_email ?? invoice.customer}`,
      x: 56,
      y: 664,
      size: 11,
    },
  ]
  let y = 624
  for (const line of invoice.lines.data.slice(0, 24)) {
    lines.push({ text: (line.description ?? '').slice(0, 80), x: 56, y, size: 10 })
    lines.push({ text: moneyText(line.amount, invoice.currency), x: 470, y, size: 10 })
    y -= 18
  }
  for (const [text, amount] of adjustments(invoice)) {
    lines.push({ text, x: 56, y, size: 10 })
    lines.push({ text: moneyText(amount, invoice.currency), x: 470, y, size: 10 })
    y -= 18
  }
  lines.push({ text: 'Total', x: 56, y: y - 12, size: 12, bold: true })
  lines.push({ text: moneyText(invoice.total, invoice.currency), x: 470, y: y - 12, size: 12, bold: true })
  lines.push({ text: 'Amount due', x: 56, y: y - 30, size: 11 })
  lines.push({ text: moneyText(invoice.amount_remaining, invoice.currency), x: 470, y: y - 30, size: 11 })
  return lines
}

/** A one-page PDF, written by hand: five objects and their table of offsets. */
export function invoicePdf(invoice: Invoice): Buffer {
  const content = layout(invoice)
    .map(
      ({ text, x, y, size, bold }) =>
        `BT /${bold ? 'F2' : 'F1'} ${size} Tf ${x} ${y} Td (${pdfString(latin(text))}) Tj ET`,
    )
    .join('\n')
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = Buffer.byteLength(text, 'latin1')
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = Buffer.byteLength(text, 'latin1')
  const rows = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
