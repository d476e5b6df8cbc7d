import { expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { hashToken } from '../lib/crypto.ts'
import { openAuthentication } from './authenticate.ts'

const { db, people } = await makeTestApp()

/** Tables that a statement reads whole, when it is planned while they are as small as on an installation's first day. */
async function readWhole(text: string, values: unknown[]): Promise<string[]> {
  const client = await db.pool.connect()
  const counted = async () => {
    const { rows } = await client.query<{ name: string; times: number }>(
      `select relname as name, pg_stat_get_xact_numscans(oid) as times from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    return new Map(rows.map(({ name, times }) => [name, times]))
  }
  try {
    await client.query(`begin; set local role none; analyze; set local role ${db.roles.system}`)
    const before = await counted()
    await client.query(text, values)
    return [...(await counted())]
      .filter(([name, times]) => times > (before.get(name) ?? 0))
      .map(([name]) => name)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('the look-ups of every call scan no table, however small, for they keep the plan that they begin with', async () => {
  const owner = await people.owner()
  const hash = hashToken(owner.token)
  expect(await readWhole('select count(method) from sessions', [])).toEqual(['sessions'])
  expect(await readWhole('select find_sessions($1, now())', [[hash]])).toEqual([])
  expect(await readWhole('select find_api_key($1, now())', [hash])).toEqual([])
})

test('a session was last used when it was asked about, however late its answer comes', async () => {
  const { token } = await people.owner()
  const asked = new Date(Date.now() + 3_600_000)
  let late = asked
  const slow = {
    async query(...args: Parameters<typeof db.query>) {
      const answer = await db.query(...args)
      late = new Date(asked.getTime() + 6 * 86_400_000)
      return answer
    },
  } as unknown as typeof db // as: what it asks of a database
  const find = openAuthentication(slow, () => late)
  const shown = { kind: 'session', secret: token } as const
  expect(await find(shown)).not.toBeNull()
  late = asked
  expect(await find(shown)).toMatchObject({ last_used_at: asked })
})
