import { expect, test } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { freshEmail, makeTestApp } from '../../../test/harness.ts'

const { call, people, services } = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })

const ownerOnScale = async () => usePlan(services, await people.owner(), 'scale')

const invite = (by: { token: string }, email: string) =>
  call('POST', '/api/invite', { token: by.token, body: { email } })
const list = (length: number) => Array.from({ length }, () => freshEmail()).join(',')

test('one address gets a few mails an hour, whichever member sends them [T-72]', async () => {
  const [a, b] = [await ownerOnScale(), await ownerOnScale()]
  const email = freshEmail()
  const statuses = []
  for (const owner of [a, b, a, b, a, b]) statuses.push((await invite(owner, email)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})

test('a list counts by its addresses, not as one call [T-72]', async () => {
  const owner = await ownerOnScale()
  for (const _ of [1, 2, 3]) expect((await invite(owner, list(20))).status).toBe(200)
  const refused = await invite(owner, freshEmail())
  expect([refused.status, refused.headers['content-type']]).toEqual([429, 'text/plain; charset=utf-8'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})
