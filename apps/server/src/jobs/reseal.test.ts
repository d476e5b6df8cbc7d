import { describe, expect, test } from 'vitest'
import { apiCaller, makeTestApp, password } from '../../test/harness.ts'
import { enableTwoFactor } from '../../test/sign-in/two-factor.ts'
import { makeApp } from '../app.ts'
import { sealedColumns } from '../encrypted-columns.ts'
import { makeServices } from '../services.ts'
import { requireSecrets, reseal } from './reseal.ts'

const server = await makeTestApp()
const { db, queue, clock, people, config, services } = server
const [old = ''] = config.secrets
const newest = 'the next secret, which is long enough to be taken'
/** A process with these secrets on the same database. */
const processWith = (secrets: string[]) =>
  makeServices({ config: { ...config, secrets }, db, queue, log: services.log, now: clock.now })
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows
const check = (secrets: string[]) => requireSecrets(db, processWith(secrets).encrypter, sealedColumns)

describe('rotating APP_SECRET [V11.2.2] [V13.3.4]', () => {
  test('second factor, API key and waiting jobs work once the old secret is removed', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    const made = await server.call('POST', '/api/key', {
      token: person.token,
      body: { name: 'Reports', scope: ['usage.create'] },
    })
    const asking = await people.owner()
    // A second set-up that waits for its first code, and a mail that waits for its time.
    await server.call('PUT', '/api/user/2fa', { token: asking.token, body: { '2fa_enabled': true } })
    const mail = services.encrypter.encrypt('{}', 'mail later')
    await services.asSystem('test', tx =>
      queue.enqueue(tx, 'mail.send', { id: 'later', sealed: mail }, { afterSeconds: 3600 }),
    )

    await expect(check([newest])).rejects.toThrow(
      /^APP_SECRET_PREVIOUS: expected .*1 in two_factors, 1 in two_factors, 1 in api_keys, \d+ in pgboss\.job/,
    )
    await expect(check([newest, old])).resolves.toBeUndefined()
    // Two processes start at once.
    await Promise.all([1, 2].map(() => reseal(processWith([newest, old]), sealedColumns)))
    await expect(check([newest])).resolves.toBeUndefined()

    const after = processWith([newest])
    const app = await makeApp({ services: after, db, readiness: { draining: false } })
    const call = apiCaller(app)
    const begun = await call('POST', '/api/auth', { body: { email: person.email, password } })
    const opened = await call('POST', '/api/auth/otp', {
      body: { jwt: begun.data.token, code: person.next() },
    })
    expect(opened).toMatchObject({ status: 200, data: { id: person.id } })
    const revealed = await call('POST', `/api/key/${made.data.id}/reveal`, {
      token: opened.data.token,
      body: { password },
    })
    expect(revealed).toMatchObject({ status: 200, data: [{ key: made.data.full_key }] })
    const [job] = await rows(
      "select data ->> 'sealed' as sealed from pgboss.job where data ->> 'id' = 'later'",
    )
    expect(after.encrypter.decrypt((job as { sealed: string }).sealed, 'mail later')).toBe('{}') // as: the column asked for
    await app.close()
  })

  test('with one secret nothing is touched', async () => {
    const person = await enableTwoFactor(server, await people.owner())
    const sealed = () => rows('select sealed_secret from two_factors where user_id = $1', [person.id])
    const before = await sealed()
    await reseal(services, sealedColumns)
    expect(await sealed()).toEqual(before)
  })

  test('every sealed column of the schema is known', async () => {
    const found = await rows(
      "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public' and column_name like 'sealed%' order by 1",
    )
    const known = sealedColumns
      .filter(({ table }) => !table.includes('.'))
      .map(({ table, read }) => `${table}.${read}`)
    expect(found.map(row => (row as { name: string }).name)).toEqual(known.sort()) // as: the column asked for
  })
})
