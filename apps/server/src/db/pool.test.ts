import { expect, inject, it } from 'vitest'
import { createTestDatabase } from '../../test/harness.ts'
import { openQueue } from '../jobs/queue.ts'
import { newId } from '../lib/ids.ts'
import { makeLog } from '../log.ts'
import { namesOfTexts } from '../runtime/prepared.ts'
import { openDb } from './pool.ts'
import { transaction } from './transaction.ts'

it('closes its connections when only the queue has used them', async () => {
  const { url, template, drop } = await createTestDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template: template?.() })
  await db.asOwnerOfJobs('select 1')
  expect(db.pool.totalCount).toBe(1)
  await db.close()
  expect(db.pool).toMatchObject({ ended: true, totalCount: 0 })
  await drop()
})

it('a failed statement of the queue leaves role and connection unchanged', async () => {
  const { url, template, drop } = await createTestDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, template: template?.() })
  const role = async () => (await db.pool.query('select current_user as name')).rows
  expect((await db.asOwnerOfJobs('select current_user as name')).rows).toEqual([{ name: db.roles.system }])
  for (const text of ['select 1 / 0', 'begin; select 1 / 0; commit', 'not a statement']) {
    await expect(db.asOwnerOfJobs(text)).rejects.toThrow()
    expect(await role()).toEqual([{ name: db.roles.app }])
  }
  expect(db.pool.totalCount).toBe(1)
  await db.close()
  await drop()
})

// On a server each connection would keep hundreds of plans.
it.runIf(!inject('databaseUrl'))(
  'the embedded database parses a statement once, also after a failure',
  async () => {
    const { template, drop } = await createTestDatabase()
    const db = await openDb({ databaseUrl: null, dataDir: null, poolSize: 1, template: template?.() })
    const ask = (id: string) =>
      transaction(db, 'system', tx => tx.selectFrom('users').select('locale').where('id', '=', id).execute())
    for (const id of ['no id', newId(), newId()])
      await ask(id).catch(error => expect(error.code).toBe('22P02'))
    const { rows } = await db.pool.query(
      `select name, generic_plans + custom_plans as plans from pg_prepared_statements where statement like '%"locale"%'`,
    )
    expect(rows).toEqual([{ name: expect.stringMatching(/^text\/.{43}$/), plans: 2 }])
    await db.close()
    await drop()
  },
)

it.runIf(!inject('databaseUrl'))(
  'a statement whose values can’t be sent works again on a new connection',
  async () => {
    const { template, drop } = await createTestDatabase()
    const db = await openDb({ databaseUrl: null, dataDir: null, poolSize: 1, template: template?.() })
    const ask = (id: unknown) =>
      transaction(db, 'system', tx =>
        tx
          .selectFrom('users')
          .select('locale')
          .where('id', '=', id as string) // as: also values that no driver can send
          .execute(),
      )
    const unsent = {
      toPostgres() {
        throw new Error('no text for this')
      },
    }
    await expect(ask(unsent)).rejects.toThrow('no text for this')
    // The driver takes it for prepared, the database does not: the next call may fail once.
    await ask(newId()).catch(error => expect(error.code).toBe('26000'))
    expect(await ask(newId())).toEqual([])
    const asWorker = (value: unknown) =>
      db.asOwnerOfJobs('WITH input AS (SELECT $1::text AS value) SELECT value FROM input', [value])
    await expect(asWorker(unsent)).rejects.toThrow('no text for this')
    await asWorker('a').catch(error => expect(error.code).toBe('26000'))
    expect((await asWorker('b')).rows).toEqual([{ value: 'b' }])
    await db.close()
    await drop()
  },
)

it.runIf(!inject('databaseUrl'))('the embedded database parses the workers’ statements once', async () => {
  const { template, drop } = await createTestDatabase()
  const db = await openDb({ databaseUrl: null, dataDir: null, poolSize: 1, template: template?.() })
  const queue = openQueue(db, makeLog('silent'), { workers: true, byTheClock: false })
  await queue.start()
  const done = Promise.withResolvers<void>()
  await queue.work('upkeep.sweep', async () => done.resolve())
  await transaction(db, 'system', tx => queue.enqueue(tx, 'upkeep.sweep', {}))
  await done.promise
  await queue.stop()
  const { rows } = await db.pool.query(
    `select substring(statement from 'WITH\\s+(next|input)') as begins from pg_prepared_statements where name like 'text/%' order by 1`,
  )
  expect(rows.map(({ begins }) => begins)).toEqual(expect.arrayContaining(['input', 'next']))
  await db.close()
  await drop()
})

it('statements get names up to a limit, the same for the same text', () => {
  const nameOf = namesOfTexts(2)
  const [a, b, ...more] = ['a', 'b', 'a', 'c', 'b'].map(nameOf)
  expect([a, b, ...more]).toEqual([a, b, a, undefined, b])
  expect(new Set([a, b, undefined]).size).toBe(3)
  expect(namesOfTexts(1)('b')).toBe(b)
  expect(namesOfTexts(1)('long'.repeat(2000))).toBeUndefined()
})

// The embedded database can't compile statements.
it.runIf(inject('databaseUrl'))('just-in-time compilation is off', async () => {
  const { url, drop } = await createTestDatabase()
  const db = await openDb({ databaseUrl: url, dataDir: null, poolSize: 1, migrate: true })
  expect((await db.pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  await db.close()
  await drop()
})
