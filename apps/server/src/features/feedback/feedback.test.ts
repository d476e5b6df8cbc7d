import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'

const { call, people, db } = await makeTestApp()
const send = (token: string | undefined, body: unknown, headers?: Record<string, string>) =>
  call('POST', '/api/feedback', { token, body, headers })
const rows = async (account: string) =>
  (
    await db.asOwnerOfJobs(
      'select user_id, rating, comment from feedback where account_id = $1 order by created_at',
      [account],
    )
  ).rows

describe('[call:POST /api/feedback] [entity:feedback] [const:feedback.ratings] feedback', () => {
  test.each(['positive', 'neutral', 'negative'])(
    'accepts a %s rating, with or without a comment',
    async rating => {
      const user = await people.owner()
      expect(await send(user.token, { rating })).toMatchObject({ status: 200, body: { data: {} } })
      await send(user.token, { rating, comment: ' Quick.\nAnd calm – مرحبا ' })
      expect(await rows(user.account_id)).toEqual([
        { user_id: user.id, rating, comment: '' },
        { user_id: user.id, rating, comment: 'Quick.\nAnd calm – مرحبا' },
      ])
    },
  )

  test('a double click stores one rating', async () => {
    const user = await people.owner()
    const headers = { 'idempotency-key': `feedback-${user.id}` }
    await send(user.token, { rating: 'positive' }, headers)
    expect((await send(user.token, { rating: 'positive' }, headers)).status).toBe(200)
    expect(await rows(user.account_id)).toHaveLength(1)
  })

  test.each([
    ['no face', {}],
    ['another face', { rating: 'great' }],
    ['words without end', { rating: 'neutral', comment: 'x'.repeat(2001) }],
    ['a null', { rating: 'neutral', comment: 'a\0' }],
    ['somebody else', { rating: 'neutral', user_id: '01a1fa42-8c01-78ae-9ea9-6d886f883969' }],
  ])('with %s is refused [T-81]', async (_what, body) => {
    const user = await people.owner()
    expect((await send(user.token, body)).status).toBe(422)
    expect(await rows(user.account_id)).toEqual([])
  })

  test('visitors, unverified users and users without a plan are refused', async () => {
    expect((await send(undefined, { rating: 'positive' })).status).toBe(401)
    expect((await send((await people.signUp()).token, { rating: 'positive' })).status).toBe(403)
    expect((await send((await people.verified()).token, { rating: 'positive' })).status).toBe(402)
  })
})

test('[T-89] when a user leaves, the comment is deleted and the rating stays', async () => {
  const owner = await people.owner()
  const user = await people.member(owner, 'user')
  const own = user.accounts.find(({ id }) => id !== owner.account_id)?.id ?? ''
  await send(user.token, { rating: 'negative', comment: 'CANARY' })
  expect((await call('DELETE', '/api/user', { token: user.token, body: { password } })).status).toBe(200)
  expect(await rows(owner.account_id)).toMatchObject([{ user_id: user.id }])
  // The user still has another account; closing that one removes the user.
  const there = await call('POST', '/api/auth', { body: { email: user.email, password } })
  expect(there.data.account_id).toBe(own)
  expect((await call('DELETE', '/api/account', { token: there.data.token, body: { password } })).status).toBe(
    200,
  )
  expect(await rows(owner.account_id)).toEqual([{ user_id: null, rating: 'negative', comment: '' }])
})

test('[T-81] a user may send feedback ten times an hour', async () => {
  const strict = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
  const user = await strict.people.owner()
  const answers: number[] = []
  for (let n = 0; n < 11; n++)
    answers.push(
      (await strict.call('POST', '/api/feedback', { token: user.token, body: { rating: 'neutral' } })).status,
    )
  expect(answers).toEqual([...Array(10).fill(200), 429])
})
