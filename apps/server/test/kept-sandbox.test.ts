import { expect, onTestFinished, test } from 'vitest'
import { giveBackSandbox, lendSandbox } from './kept-sandbox.ts'
import { paymentsOf } from './payments.ts'

/** The sandbox as a test file gets it. */
async function lent(to?: string) {
  onTestFinished(giveBackSandbox)
  const { port } = await lendSandbox(to)
  return { port, ...paymentsOf(`http://127.0.0.1:${port}`) }
}

test('the next file gets the same one, and finds nothing of the file before and none of its mischief', async () => {
  const first = await lent()
  await first.api('POST', '/v1/customers', { email: 'left@behind.example' })
  await first.passDays(40)
  await first.fault('* /v1', '500', 9)
  giveBackSandbox()
  const next = await lent()
  expect(next.port).toBe(first.port)
  expect(await next.list('/v1/customers', {})).toEqual([])
  expect(await next.list('/v1/events', {})).toEqual([])
  expect(await next.api('GET', '/sandbox/clock')).toMatchObject({ offset: 0 })
})

test('a file that has kept it is named to the next one, and the one after gets another', async () => {
  const kept = await lent()
  await expect(lent('the-next.test.ts')).rejects.toThrow(/kept-sandbox\.test\.ts has not given/)
  const { port, list } = await lent('the-one-after.test.ts')
  expect(port).not.toBe(kept.port)
  expect(await list('/v1/customers', {})).toEqual([])
})
