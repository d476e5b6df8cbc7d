import { rm } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openDb } from '../../src/db/pool.ts'
import { impersonate } from '../harness/run-impersonate.ts'
import { createDataFolder } from '../harness/server-process.ts'

const DATA_DIR = await createDataFolder()
afterAll(() => rm(DATA_DIR, { recursive: true, force: true }))
const who = ['--as=mara@test.plinth.example', '--user=ada@test.plinth.example']

describe('the command that makes a link for support [T-41]', () => {
  test.each([
    ['nothing', [], 2, 'npm run impersonate -- --as='],
    ['no user', who.slice(0, 1), 2, 'npm run impersonate -- --as='],
    ['an empty one', ['--as=', '--user='], 2, 'npm run impersonate -- --as='],
    ['something it does not know', [...who, '--force'], 1, "Unknown option '--force'"],
    ['a word that belongs to nothing', [...who, 'now'], 1, "Unexpected argument 'now'"],
  ])('with %s says what it takes and opens no database', async (_, args, code, sentence) => {
    // The address of no database: who tried to open one would say so.
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR }
    const errors = expect.stringContaining(sentence)
    expect(await impersonate(env, ...args)).toEqual({ code, output: '', errors })
  })

  test('with a wrong setting, or a database that is not there, says which', async () => {
    expect(await impersonate({ DATA_DIR, PORT: 'x' }, ...who)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^PORT: expected/),
    })
    const env = { DATABASE_URL: 'postgres://nobody@localhost:1/none', DATA_DIR }
    expect(await impersonate(env, ...who)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('leaves the embedded database to the server that has it, and takes it when that one has stopped', async () => {
    const server = await openDb({ databaseUrl: null, dataDir: DATA_DIR, poolSize: 1 })
    try {
      const beside = await impersonate({ DATA_DIR }, ...who)
      expect(beside).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('Stop it') })
      expect((await server.asOwnerOfJobs('select 1 as there')).rows).toEqual([{ there: 1 }])
    } finally {
      await server.close()
    }
    // The database is empty, so there is no master.
    const after = await impersonate({ DATA_DIR }, ...who)
    expect(after).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining('mara@test.plinth.example is not a master.'),
    })
  })
})
