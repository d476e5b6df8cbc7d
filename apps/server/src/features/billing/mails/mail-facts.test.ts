import { expect, test } from 'vitest'
import { queuedMails } from '../../../../test/harness/queued-mails.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { freshNumber, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'

const made = await makeTestApp()
const { people, db, services, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { choose, change, replace } = plansOf(made, payments)
const outgoing = queuedMails({ db, services })
const mailsOf = (email: string, kind: string) => outgoing(mail => mail.to === email && mail.kind === kind)

test('a change of plan is mailed with its seats, the price of each and the sum', async () => {
  const owner = await people.owner()
  for (const role of ['admin', 'user', 'user'] as const) await people.member(owner, role)
  const token = await payments.card()
  expect((await choose(owner.token, { plan: 'startup_yearly', token })).status).toBe(200)
  expect(await mailsOf(owner.email, 'plan_changed')).toMatchObject([
    {
      data: {
        plan: 'Startup yearly',
        price: '$480.00',
        period: 'year',
        seats: { count: 4, each: '$120.00' },
        trial_until: null,
      },
    },
  ])
  expect((await change(owner.token, { plan: 'scale' })).status).toBe(200)
  expect((await mailsOf(owner.email, 'plan_changed'))[1]).toMatchObject({
    // $480.00 for the unused year, less $49.00 for the first month of Scale.
    data: { plan: 'Scale', price: '$49.00', seats: null, usage: true, credit: '$431.00' },
  })
})

test('a trial is mailed with the day it ends and the cost after it', async () => {
  const owner = await people.verified()
  const token = await payments.card(freshNumber())
  expect((await choose(owner.token, { plan: 'startup', token })).status).toBe(200)
  const [mail] = await mailsOf(owner.email, 'plan_changed')
  expect(mail).toMatchObject({
    data: { price: '$12.00', trial_until: expect.stringMatching(/^\w+ \d+, \d{4} \(UTC\)$/) },
  })
})

test('a plan that is kept after its end was planned is mailed as one that continues', async () => {
  const owner = await people.verified()
  await choose(owner.token, { plan: 'scale', token: await payments.card() })
  expect((await change(owner.token, { plan: 'free' })).status).toBe(200)
  expect((await change(owner.token, { plan: 'scale' })).status).toBe(200)
  const mails = await mailsOf(owner.email, 'plan_changed')
  expect(mails.map(mail => mail.data)).toMatchObject([{ continues: false }, { continues: true }])
})

test('a replaced card is mailed by its brand and last digits', async () => {
  const owner = await people.verified()
  await choose(owner.token, { plan: 'scale', token: await payments.card() })
  expect((await replace(owner.token, { token: await payments.card('5555555555554444') })).status).toBe(200)
  expect(await mailsOf(owner.email, 'card_changed')).toMatchObject([
    { data: { card: 'Mastercard ending 4444' } },
  ])
})
