import { expect, onTestFinished, test } from 'vitest'
import { passDays, paymentsOf } from '../payments.ts'
import { acquireSharedSandbox, releaseSharedSandbox } from './shared-sandbox.ts'

/** The sandbox as a test file gets it. */
async function lent(to?: string) {
  onTestFinished(releaseSharedSandbox)
  const { port } = await acquireSharedSandbox(to)
  return { port, ...paymentsOf(`http://127.0.0.1:${port}`) }
}

test('the next file gets the same one, and finds nothing of the file before and none of its mischief', async () => {
  const first = await lent()
  await first.api('POST', '/v1/customers', { email: 'left@behind.example' })
  await passDays(`http://127.0.0.1:${first.port}`, 40)
  await first.fault('* /v1', '500', 9)
  releaseSharedSandbox()
  const next = await lent()
  expect(next.port).toBe(first.port)
  expect(await next.list('/v1/customers', {})).toEqual([])
  expect(await next.list('/v1/events', {})).toEqual([])
  expect(await next.api('GET', '/sandbox/clock')).toMatchObject({ offset: 0 })
})

test('a file that has kept it keeps it: the next one gets another', async () => {
  const kept = await lent()
  await kept.api('POST', '/v1/customers', { email: 'left@behind.example' })
  const { port, list } = await lent('the-next.test.ts')
  expect(port).not.toBe(kept.port)
  expect(await list('/v1/customers', {})).toEqual([])
})

test('a file has one at most', async () => {
  await lent('some.test.ts')
  await expect(lent('some.test.ts')).rejects.toThrow('some.test.ts has the sandbox already')
})
