import { expect, test } from 'vitest'
import { apiKeyHelpers } from '../../../test/factories/api-keys.ts'
import { makeTestApp } from '../../../test/harness.ts'
import { makeApp } from '../../app.ts'

const harness = await makeTestApp()
const { db, people, services } = harness
const { make } = apiKeyHelpers(harness)

/** A server on which something happens between the authentication of a call and its handler. */
async function serverWith(meanwhile: () => Promise<unknown>) {
  const app = await makeApp({
    services: {
      ...services,
      withinAccount: async (account, run) => {
        await meanwhile()
        return services.withinAccount(account, run)
      },
    },
    db,
    readiness: { draining: false },
  })
  return app
}

const calls = [
  ['/api/usage', { quantity: 1 }],
  ['/api/event', { name: 'parcel_sent' }],
] as const
const deleteKey = (key: { id: string }) => db.asOwnerOfJobs('delete from api_keys where id = $1', [key.id])
const deleteAccount = ({ account_id }: { account_id: string }) =>
  db.asOwnerOfJobs('delete from accounts where id = $1', [account_id])

test('[T-39] a report by a key deleted during the call is refused and counts nothing', async () => {
  const user = await people.owner()
  const key = await make(user)
  const app = await serverWith(() => deleteKey(key))
  const answer = await app.inject({
    method: 'POST',
    url: '/api/usage',
    headers: { authorization: `Bearer ${key.full_key}` },
    payload: { quantity: 1 },
  })
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'key_unknown'])
  const { rows } = await db.asOwnerOfJobs('select 1 from usage_months where account_id = $1', [
    user.account_id,
  ])
  expect(rows).toEqual([])
  await app.close()
})

test.each(calls)(
  '%s is refused when the account is closed during the call, by key and by session',
  async (url, payload) => {
    for (const by of ['key', 'session'] as const) {
      const user = await people.owner()
      const { full_key } = await make(user)
      const app = await serverWith(() => deleteAccount(user))
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${by === 'key' ? full_key : user.token}` },
        payload,
      })
      expect([by, answer.statusCode, answer.json().code]).toEqual([
        by,
        401,
        by === 'key' ? 'key_unknown' : 'session_required',
      ])
      await app.close()
    }
  },
)
