import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const made = await makeTestApp()
const payments = paymentsOf(made.config.payments.apiBase ?? '')
const { on, customerOf } = plansOf(made, payments)
type Paid = { id: string; payment: string }

async function paidInvoice(account: string): Promise<Paid> {
  const customer = await customerOf(account)
  const [invoice] = await payments.list('/v1/invoices', { customer })
  const [intent] = await payments.list('/v1/payment_intents', { customer })
  return { id: String(invoice?.id), payment: String(intent?.id) }
}
const refund = ({ payment }: Paid) =>
  payments.api('POST', '/v1/refunds', { payment_intent: payment, amount: '1000' })
const credit = ({ id }: Paid) =>
  payments.api('POST', '/v1/credit_notes', { invoice: id, amount: '1000', credit_amount: '1000' })
const refundByNote = ({ id }: Paid) =>
  payments.api('POST', '/v1/credit_notes', { invoice: id, amount: '1000', refund_amount: '1000' })

test.each([
  ['a refund and a credit note beside it', [refund, credit], { refunded: 1000, credited: 1000 }],
  ['a credit note that refunds', [refundByNote], { refunded: 1000, credited: 0 }],
  ['all three', [refund, credit, refundByNote], { refunded: 2000, credited: 1000 }],
  ['a refund alone', [refund], { refunded: 1000, credited: 0 }],
])('%s: the invoice lists refunds and credits separately', async (_what, steps, expected) => {
  const owner = await on('scale')
  const paid = await paidInvoice(owner.account_id)
  for (const step of steps) await step(paid)
  const { data } = await made.call('GET', '/api/account/invoice', { token: owner.token })
  expect(data[0]).toMatchObject(expected)
})
