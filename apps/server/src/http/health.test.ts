import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'

const { app, db } = await makeTestApp()
const ready = async () => {
  const { statusCode, body } = await app.inject({ url: '/ready' })
  return [statusCode, JSON.parse(body)]
}

test('/ready says what the database says, and no when it says nothing at all', async () => {
  expect(await ready()).toEqual([200, { ready: true }])
  const query = vi.spyOn(db.pool, 'query')
  onTestFinished(() => query.mockRestore())
  query.mockImplementationOnce(() => Promise.reject(new Error('gone')))
  expect(await ready()).toEqual([503, { ready: false }])
  // A black hole: the packets leave and nothing comes back.
  query.mockImplementationOnce(() => new Promise(() => {}))
  expect(await ready()).toEqual([503, { ready: false }])
})
