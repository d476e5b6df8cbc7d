import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { wrapText } from '../src/payments/invoices/pdf/pdf-text.ts'
import { createCard, sandboxWithPrices } from './support/sandbox.ts'

const { stripe, prices } = await sandboxWithPrices()

/** The streams of a PDF: drawing commands and the characters of each font. */
async function documentOf(name: string, quantity = 2) {
  const customer = await stripe.customers.create({ name, email: 'paula@northquay.example' })
  const card = await createCard(stripe, '4242424242424242')
  await stripe.paymentMethods.attach(card.id, { customer: customer.id })
  await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: card.id,
    items: [{ price: prices.seat.id, quantity }],
  })
  const [invoice] = (await stripe.invoices.list({ customer: customer.id })).data
  const answer = await fetch(String(invoice?.invoice_pdf))
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const bytes = Buffer.from(await answer.arrayBuffer())
  const streams: string[] = []
  for (const found of bytes.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    const stream = Buffer.from(found[1] ?? '', 'latin1')
    streams.push((stream[0] === 0x78 ? inflateSync(stream) : stream).toString('latin1'))
  }
  const characters = streams
    .filter(stream => stream.includes('begincmap'))
    .flatMap(stream => [...stream.matchAll(/<([0-9a-f]{4})>/g)])
    .map(found => String.fromCharCode(Number.parseInt(found[1] ?? '', 16)))
  const drawn = streams.find(stream => stream.includes(' Tf')) ?? ''
  return { characters: new Set(characters), curves: drawn.match(/ [cv]$/gm)?.length ?? 0, bytes }
}

test.each(['Paula’s account', 'شركة النور', 'Ω-Łódź', 'Acme شركة Ltd'])(
  'an invoice for %s has each of its characters',
  async name => {
    const { characters } = await documentOf(name)
    expect([...name].filter(character => !characters.has(character))).toEqual([])
  },
)

test('an invoice for a Japanese name draws its characters', async () => {
  const plain = await documentOf('Plain')
  const japanese = await documentOf('株式会社ミライ')
  expect(plain.curves).toBe(0)
  expect(japanese.curves).toBeGreaterThan(20)
})

test.each(['חברת אור', '한국 상사', 'บริษัท', 'कंपनी'])(
  'an invoice for %s shows a question mark for each missing character',
  async name => {
    const { characters } = await documentOf(name)
    expect(characters.has('?')).toBe(true)
  },
)

test('a long name and address are written in full over several lines', async () => {
  const name = 'Northquay Studio für angewandte Gestaltung und Herstellung von Dingen Zürich GmbH & Co. KG'
  expect(wrapText(name, 38)).toEqual([
    'Northquay Studio für angewandte',
    'Gestaltung und Herstellung von Dingen',
    'Zürich GmbH & Co. KG',
  ])
  expect(wrapText('株式会社ミライ株式会社ミライ', 14)).toEqual(['株式会社ミライ', '株式会社ミライ'])
  expect(wrapText(`${'a'.repeat(45)}@example.com`, 38).join('')).toBe(`${'a'.repeat(45)}@example.com`)
  const { characters } = await documentOf(name)
  expect(characters.has('&')).toBe(true)
  expect(wrapText('', 38)).toEqual([])
})

test('an invoice is small enough to mail', async () => {
  const { bytes } = await documentOf('شركة النور')
  expect(bytes.length).toBeLessThan(100_000)
})
