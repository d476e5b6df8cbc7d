import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'

const { call, db, people, databaseUrl } = await makeTestApp()

// A second connection, as another call has one: the embedded database knows only one at a time.
const closing = new pg.Client({ connectionString: databaseUrl ?? '' })
await closing.connect()
afterAll(() => closing.end())

test('[F-01] verifying an address and closing an account lock users before accounts', async () => {
  const email = freshEmail('claimed')
  const first = await people.signUp(email)
  const seen = await people.mailTo(email)
  const second = await people.signUp(email)
  const token = await people.linkToken(email, seen.id)
  await closing.query(`begin; set local role ${db.roles.system}`)
  await closing.query('select 1 from users where id = $1 for update', [first.id])
  const proving = call('POST', '/api/user/verify', { token: second.token, body: { token } })
  const waiting = async () =>
    (
      await closing.query(
        `select count(*)::int from pg_locks mine join pg_locks theirs using (transactionid)
         where mine.pid = pg_backend_pid() and mine.granted and not theirs.granted`,
      )
    ).rows[0].count
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1)
  // It would hold the account and wait for the person, and this the other way round.
  await closing.query('select 1 from accounts where id = $1 for update nowait', [first.account_id])
  await closing.query('rollback')
  expect((await proving).status).toBe(200)
})
