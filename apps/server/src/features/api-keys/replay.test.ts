import { expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { makeTestApp } from '../../../test/harness.ts'

const harness = await makeTestApp()
const { call, people, services } = harness
const { listOf, byKey } = apiKeyHelpers(harness)

test('a repeated Idempotency-Key creates one key and replies again without the secret [T-40]', async () => {
  const user = await people.owner()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const send = () =>
    call('POST', '/api/key', {
      token: user.token,
      body: { name: 'Once', scope: ['event.create'] },
      headers,
    })
  const first = await send()
  const again = await send()
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect(again.data).toEqual({ ...first.data, full_key: null })
  expect((await byKey(first.data)).status).toBe(200)
  expect(await listOf(user.token)).toMatchObject([{ id: first.data.id, active: true }])
  // The stored reply itself does not contain the secret.
  const stored = await services.asSystem('test', tx =>
    tx
      .selectFrom('idempotency_keys')
      .select(['scope', 'key', 'sealed_body'])
      .where('key', '=', headers['idempotency-key'])
      .executeTakeFirstOrThrow(),
  )
  const body = services.encrypter.decrypt(stored.sealed_body ?? '', stored.scope + stored.key)
  expect(body).toContain(first.data.id)
  expect(body).not.toContain(first.data.full_key)
})
