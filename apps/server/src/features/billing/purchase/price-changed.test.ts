import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { freshNumber, ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { syncSeats } from '../seats/sync-seats.ts'
import { sync } from '../sync/sync.ts'

const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { call, people, services, db } = made
const plans = plansOf(made, sandbox)
const { choose, on, change, upgrade, replace, preview, paid, standing, customerOf, subscription } = plans

const members = async (owner: Awaited<ReturnType<typeof people.verified>>, count: number) => {
  for (let at = 0; at < count; at++) await people.member(owner, 'user')
}
const changed = (quote: object) => ({
  status: 409,
  body: { code: 'price_changed', message: 'The price has changed. Nothing was charged.', data: { quote } },
})
const attempts = async (account: string) =>
  (
    await db.asOwnerOfJobs(
      'select state, failure from billing_attempts where account_id = $1 order by created_at desc',
      [account],
    )
  ).rows as { state: string; failure: string | null }[] // as: the columns asked for
/** Lifts the rate limit of promotion codes. */
const lasting = { duration: 'forever' }

describe('a plan is charged at the price that was quoted [call:PATCH /api/account/plan]', () => {
  it('the quoted amount is charged, and kept with the attempt', async () => {
    const user = await on('scale')
    const { quote, due_now } = await preview(user.token, 'startup_yearly')
    expect(quote).toMatchObject({ amount: due_now, currency: 'usd' })
    expect((await change(user.token, { plan: 'startup_yearly', quote })).status).toBe(200)
    expect((await paid(user.account_id))[0]).toBe(quote.amount)
    const { rows } = await db.asOwnerOfJobs(
      "select quoted_amount, quoted_currency, quoted_state from billing_attempts where account_id = $1 and kind = 'change'",
      [user.account_id],
    )
    expect(rows).toEqual([{ quoted_amount: quote.amount, quoted_currency: 'usd', quoted_state: quote.state }])
  })

  it('refuses when the plan was changed in another tab', async () => {
    const user = await on('startup_yearly')
    const { quote } = await preview(user.token, 'scale')
    expect((await change(user.token, { plan: 'startup' })).status).toBe(200)
    const before = await paid(user.account_id)
    const answer = await change(user.token, { plan: 'scale', quote })
    const fresh = await preview(user.token, 'scale')
    expect(answer).toMatchObject(changed({ amount: fresh.quote.amount }))
    expect(answer.body.data).toMatchObject({
      plan: 'scale',
      when: 'now',
      due_now: fresh.due_now,
      lines: fresh.lines,
    })
    expect(await paid(user.account_id)).toEqual(before)
    expect((await standing(user.account_id)).items.data[0]?.price.lookup_key).toBe('plinth_startup_month')
  })

  it('refuses when three people have joined, charges the new quote, and a double click pays once', async () => {
    const user = await on('scale')
    const { quote } = await preview(user.token, 'startup_yearly')
    await members(user, 3)
    const answer = await change(user.token, { plan: 'startup_yearly', quote })
    expect(answer.status).toBe(409)
    const next = answer.body.data.quote
    expect(next.amount - quote.amount).toBe(36_000)
    expect(await paid(user.account_id)).toEqual([4900])
    const body = { plan: 'startup_yearly', quote: next }
    const both = await Promise.all([change(user.token, body), change(user.token, body)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await paid(user.account_id)).toEqual([next.amount, 4900])
  })

  it('refuses when the seats were synced since', async () => {
    const user = await on('startup_yearly')
    await members(user, 2)
    const { quote } = await preview(user.token, 'scale')
    await db.asOwnerOfJobs("update seat_changes set changed_at = changed_at - interval '1 minute'")
    await syncSeats(services)
    expect(await change(user.token, { plan: 'scale', quote })).toMatchObject({ status: 409 })
  })

  it('refuses another amount or currency under the same state', async () => {
    const user = await on('scale')
    const { quote } = await preview(user.token, 'startup_yearly')
    for (const wrong of [{ amount: quote.amount - 1 }, { currency: 'eur' }, { state: 'made up' }])
      expect(
        await change(user.token, { plan: 'startup_yearly', quote: { ...quote, ...wrong } }),
      ).toMatchObject(changed({ amount: quote.amount }))
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('refuses invalid quotes at their field, and quotes of another account', async () => {
    const user = await on('scale')
    const other = await on('scale')
    const good = { amount: 1, currency: 'usd', state: 'x' }
    for (const wrong of [
      { amount: 1.5 },
      { amount: -1 },
      { amount: 3e9 },
      { currency: 'us' },
      { state: 'x'.repeat(65) },
    ])
      expect(
        await change(user.token, { plan: 'startup_yearly', quote: { ...good, ...wrong } }),
        JSON.stringify(wrong),
      ).toMatchObject({ status: 422, body: { code: 'invalid_input', inputError: 'quote' } })
    const { quote } = await preview(other.token, 'startup_yearly')
    expect(await change(user.token, { plan: 'startup_yearly', quote })).toMatchObject({ status: 409 })
  })

  it('refuses to end or keep another plan than the one shown', async () => {
    const user = await on('startup_yearly')
    const ends = (await preview(user.token, 'free')).quote
    expect((await change(user.token, { plan: 'startup' })).status).toBe(200)
    expect(await change(user.token, { plan: 'free', quote: ends })).toMatchObject({ status: 409 })
    const { quote } = await preview(user.token, 'free')
    expect((await change(user.token, { plan: 'free', quote })).data).toMatchObject({ pending_plan: 'free' })
    const kept = (await preview(user.token, 'startup')).quote
    expect((await change(user.token, { plan: 'scale' })).status).toBe(200)
    expect(await change(user.token, { plan: 'startup', quote: kept })).toMatchObject({ status: 409 })
    const back = (await preview(user.token, 'scale')).quote
    expect((await change(user.token, { plan: 'scale', quote: back })).data).toMatchObject({
      pending_plan: null,
    })
  })

  it('refuses a changed price under the same lookup key', async () => {
    const user = await on('scale')
    const { quote } = await preview(user.token, 'startup_yearly')
    const fields = {
      product: 'plinth_startup_yearly',
      currency: 'usd',
      unit_amount: '15000',
      lookup_key: 'plinth_startup_year',
      transfer_lookup_key: 'true',
      'recurring[interval]': 'year',
      'metadata[plan]': 'startup_yearly',
    }
    const price = async (unit_amount: string) => {
      await sandbox.api('POST', '/v1/prices', { ...fields, unit_amount })
      services.integrations.payments.clearPriceCache()
    }
    await price('15000')
    try {
      const answer = await change(user.token, { plan: 'startup_yearly', quote })
      expect(answer.status).toBe(409)
      expect(answer.body.data.quote.amount - quote.amount).toBe(3000)
      const first = await people.verified()
      expect((await preview(first.token, 'startup_yearly')).quote.amount).toBe(15_000)
    } finally {
      await price('12000')
    }
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('usage reported after the quote is not billed with the change', async () => {
    const user = await on('scale')
    const use = () => call('POST', '/api/usage', { token: user.token, body: { quantity: 20_000 } })
    await use()
    const { quote } = await preview(user.token, 'startup_yearly')
    await use()
    expect((await change(user.token, { plan: 'startup_yearly', quote })).status).toBe(200)
    expect((await paid(user.account_id))[0]).toBe(quote.amount)
  })

  it('is charged when the provider’s clock is ahead of ours', async () => {
    const clocked = await ownClock()
    const { quote } = await preview(clocked.token, 'startup_yearly')
    expect((await change(clocked.token, { plan: 'startup_yearly', quote })).status).toBe(200)
    expect((await paid(clocked.account_id))[0]).toBe(quote.amount)
  })
})

/** An account whose second period has begun at the provider, but not by our clock. */
async function ownClock() {
  const user = await on('scale')
  await sandbox.passDays(40)
  await sync(services, user.account_id, user.subscription)
  return user
}

describe('a first plan is charged at the price that was quoted [call:POST /api/account/plan]', () => {
  it('refuses when people have joined, and charges the new quote', async () => {
    const user = await people.verified()
    const { quote } = await preview(user.token, 'startup_yearly')
    expect(quote.amount).toBe(12_000)
    await members(user, 2)
    const token = await sandbox.card()
    const answer = await choose(user.token, { plan: 'startup_yearly', token, quote })
    expect(answer).toMatchObject(changed({ amount: 36_000, currency: 'usd' }))
    expect(await customerOf(user.account_id)).toBe('null')
    const again = { plan: 'startup_yearly', token, quote: answer.body.data.quote }
    expect((await choose(user.token, again)).data).toMatchObject({ subscription: 'active' })
    expect(await paid(user.account_id)).toEqual([36_000])
  })

  it('refuses a promotion code that ran out, at its field', async () => {
    const user = await people.verified()
    const code = await sandbox.code({ percent_off: '50' })
    const { quote } = await preview(user.token, 'scale', code.code)
    expect(quote.amount).toBe(2450)
    await sandbox.api('POST', `/v1/promotion_codes/${code.id}`, { active: 'false' })
    const body = { plan: 'scale', token: await sandbox.card(), promotion_code: code.code, quote }
    expect(await choose(user.token, body)).toMatchObject({
      status: 422,
      body: { code: 'promotion_code_expired', inputError: 'promotion_code' },
    })
    expect((await sandbox.ledger(await customerOf(user.account_id))).paid).toEqual([])
  })

  it('refuses when another promotion has the same code now', async () => {
    const user = await people.verified()
    const half = await sandbox.code({ percent_off: '50', ...lasting })
    const { quote } = await preview(user.token, 'scale', half.code)
    await sandbox.api('POST', `/v1/promotion_codes/${half.id}`, { active: 'false' })
    await sandbox.code({ percent_off: '10', ...lasting }, { code: half.code })
    const body = { plan: 'scale', token: await sandbox.card(), promotion_code: half.code, quote }
    expect(await choose(user.token, body)).toMatchObject(changed({ amount: 4410 }))
  })

  it('refuses when the account’s trial was used in another tab', async () => {
    const user = await people.verified()
    const { quote } = await preview(user.token, 'startup')
    expect(quote.amount).toBe(0)
    await db.asOwnerOfJobs('update accounts set trialed_at = now() where id = $1', [user.account_id])
    const body = { plan: 'startup', token: await sandbox.card(freshNumber()), quote }
    expect(await choose(user.token, body)).toMatchObject(changed({ amount: 1200 }))
    expect(await attempts(user.account_id)).toEqual([{ state: 'failed', failure: 'price_changed' }])
  })

  it('refuses a card that had its trial with another account, and charges nothing', async () => {
    const number = freshNumber()
    const [one, two] = [await people.verified(), await people.verified()]
    const { quote } = await preview(two.token, 'startup')
    await choose(one.token, { plan: 'startup', token: await sandbox.card(number) })
    const answer = await choose(two.token, { plan: 'startup', token: await sandbox.card(number), quote })
    expect(answer).toMatchObject({ status: 422, body: { code: 'trial_used', inputError: 'token' } })
    expect(await paid(two.account_id)).toEqual([])
    const now = (await preview(two.token, 'startup')).quote
    expect(now.amount).toBe(1200)
    const paying = { plan: 'startup', token: await sandbox.card(number), quote: now }
    expect((await choose(two.token, paying)).data).toMatchObject({ subscription: 'active' })
    expect(await paid(two.account_id)).toEqual([1200])
  })

  it('a trial does not start if its price changes while the bank is asked', async () => {
    const user = await people.verified()
    const { quote } = await preview(user.token, 'startup')
    const body = { plan: 'startup', token: await sandbox.card('4000002760003184'), quote }
    const { data } = await choose(user.token, body)
    expect(data).toMatchObject({ requires_payment_action: true, kind: 'setup' })
    await db.asOwnerOfJobs('update accounts set plan = null where id = $1', [user.account_id])
    await sandbox.api('POST', `/v1/customers/${await customerOf(user.account_id)}`, { balance: '500' })
    const setup_intent = await sandbox.bank(data.client_secret, 'complete')
    expect(await choose(user.token, { ...body, setup_intent })).toMatchObject({ status: 409 })
    expect((await sandbox.ledger(await customerOf(user.account_id))).standing).toEqual([])
  })

  it('the payment confirmed at the bank is the quoted one', async () => {
    const user = await people.verified()
    const { quote } = await preview(user.token, 'scale')
    const body = { plan: 'scale', token: await sandbox.card('4000002500003155'), quote }
    const { data } = await choose(user.token, body)
    const payment_intent = await sandbox.bank(data.client_secret, 'complete')
    expect((await choose(user.token, { ...body, payment_intent })).status).toBe(200)
    expect(await paid(user.account_id)).toEqual([quote.amount])
  })
})

describe('an upgrade is charged at the price that was quoted [call:POST /api/account/upgrade]', () => {
  it('refuses when members have joined, and keeps the card', async () => {
    const user = await on('scale')
    const { quote } = await preview(user.token, 'startup_yearly')
    await members(user, 1)
    const token = await sandbox.card('5555555555554444')
    const answer = await upgrade(user.token, { plan: 'startup_yearly', token, quote })
    expect(answer.status).toBe(409)
    expect(await plans.cards(user.account_id)).toEqual(['4242'])
    const next = answer.body.data.quote
    expect((await upgrade(user.token, { plan: 'startup_yearly', token, quote: next })).status).toBe(200)
    expect(await paid(user.account_id)).toEqual([next.amount, 4900])
    expect(await plans.cards(user.account_id)).toEqual(['4444'])
  })

  it('refuses from the free plan too', async () => {
    const user = await people.owner()
    const { quote } = await preview(user.token, 'startup_yearly')
    await members(user, 1)
    const body = { plan: 'startup_yearly', token: await sandbox.card(), quote }
    expect(await upgrade(user.token, body)).toMatchObject(changed({ amount: 24_000 }))
  })
})

describe('a new card is charged the quoted amount [call:PATCH /api/account/card]', () => {
  async function owing() {
    const user = await on('scale')
    await replace(user.token, { token: await sandbox.card('4000000000000341') })
    await sandbox.passDays(32)
    await sync(services, user.account_id, user.subscription)
    services.integrations.payments.clearCardCache(await customerOf(user.account_id))
    const { card_quote, due } = await subscription(user.token)
    expect(card_quote).toMatchObject({ amount: due.amount, currency: 'usd' })
    return { ...user, card_quote }
  }

  it('pays the open invoice at the quoted amount', async () => {
    const user = await owing()
    expect(user.card_quote.amount).toBe(4900)
    const body = { token: await sandbox.card(), quote: user.card_quote }
    expect((await replace(user.token, body)).status).toBe(200)
    expect(await paid(user.account_id)).toEqual([4900, 4900])
  })

  it('refuses when another invoice is open now, and keeps the old card', async () => {
    const user = await owing()
    const quote = { ...user.card_quote, state: 'that of another invoice' }
    const answer = await replace(user.token, { token: await sandbox.card('5555555555554444'), quote })
    expect(answer).toMatchObject(changed(user.card_quote))
    expect(await plans.cards(user.account_id)).toEqual(['0341'])
    expect(await paid(user.account_id)).toEqual([4900])
  })

  it('refuses when a payment has become due since', async () => {
    const user = await on('scale')
    const { card_quote } = await subscription(user.token)
    expect(card_quote.amount).toBe(0)
    await replace(user.token, { token: await sandbox.card('4000000000000341'), quote: card_quote })
    await sandbox.passDays(32)
    const body = { token: await sandbox.card(), quote: card_quote }
    expect(await replace(user.token, body)).toMatchObject(changed({ amount: 4900 }))
    expect(await paid(user.account_id)).toEqual([4900])
  })
})
