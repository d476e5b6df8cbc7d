import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../test/payments.ts'
import { refusedMeanwhile } from './turn.ts'

const { call, people, db, world, config } = await makeTestApp()
const payments = paymentsOf(config.payments.apiBase ?? '')

/** Somebody whose bank has just said no, and how the same call is answered that came and is looked at when it is told. */
async function refused() {
  const user = await people.verified()
  const token = await payments.card('4000000000000341')
  const answer = await call('POST', '/api/account/plan', {
    token: user.token,
    body: { plan: 'scale', token },
  })
  expect(answer.body).toMatchObject({ code: 'card_declined' })
  const [attempt] = (await billingRows(db, user.account_id)).attempts
  if (!attempt) throw new Error('A choice makes an attempt')
  const ended = Number(attempt.updated_at)
  const at = (seconds: number) => new Date(ended + seconds * 1000)
  const look = (came: number, now: number, { isSame = true, waited = '' } = {}) =>
    world.withinAccount(user.account_id, tx =>
      refusedMeanwhile(
        { actor: user, request: { came: at(came) }, now: () => at(now) },
        tx,
        { for: waited },
        () => isSame,
      ),
    )
  return { look, attempt }
}

describe('a click that is looked at when the bank has said no [T-62]', () => {
  it('hears the same if it came before, and asks anew if it came after', async () => {
    const { look } = await refused()
    expect(await look(-1, 1)).toBe('card_declined')
    expect(await look(-1, 0)).toBe('card_declined')
    expect(await look(0, 1)).toBeNull()
    expect(await look(1, 2)).toBeNull()
  })

  it('for another wish asks anew', async () => {
    const { look, attempt } = await refused()
    expect(await look(-1, 1, { isSame: false })).toBeNull()
    expect(await look(-1, 1, { isSame: false, waited: attempt.id })).toBeNull()
  })

  it('with a clock set back since, asks anew: it came after, whatever the clock says', async () => {
    const { look } = await refused()
    expect(await look(-60, -59)).toBeNull()
  })

  it('that waited for it hears the same, by whatever clock its end was written', async () => {
    const { look, attempt } = await refused()
    expect(await look(1, 2, { waited: attempt.id })).toBe('card_declined')
    expect(await look(-60, -59, { waited: attempt.id })).toBe('card_declined')
  })
})
