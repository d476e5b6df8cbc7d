import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../test/harness.ts'
import { requeueWebhooks } from '../features/billing/webhooks/webhooks.ts'
import { sweep } from './sweep.ts'

const { db, services, people } = await makeTestApp()
const run = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(result => result.rows),
  )
const count = async (text: string, values: unknown[] = []) => (await run(text, values))[0]?.count

describe('the sweep throws away [T-81]', () => {
  test('unproven users after 30 days, with the accounts that only they are in', async () => {
    const [old, fresh, proven] = [await people.signUp(), await people.signUp(), await people.verified()]
    const host = await people.owner()
    const shared = await people.signUp()
    await run('insert into memberships (account_id, user_id, role) values ($1, $2, $3)', [
      host.account_id,
      shared.id,
      'user',
    ])
    await run("update users set created_at = created_at - interval '31 days' where id = any($1)", [
      [old.id, proven.id, shared.id],
    ])
    await sweep(services)
    const left = await run('select id from users where id = any($1)', [
      [old.id, fresh.id, proven.id, shared.id],
    ])
    expect(left.map(({ id }) => id).sort()).toEqual([fresh.id, proven.id].sort())
    const accounts = await run('select id from accounts where id = any($1)', [
      [old.account_id, fresh.account_id, proven.account_id, host.account_id, shared.account_id],
    ])
    expect(accounts.map(({ id }) => id).sort()).toEqual(
      [fresh.account_id, proven.account_id, host.account_id].sort(),
    )
  })

  test('events after 400 days and handled webhooks after 30, more of them than one batch', async () => {
    const user = await people.verified()
    const events = `insert into events (id, account_id, user_id, name, created_at)
      select gen_random_uuid(), $1, $2, 'x', now() - $3::interval from generate_series(1, 1200)`
    await run(events, [user.account_id, user.id, '401 days'])
    await run(events, [user.account_id, user.id, '399 days'])
    await run(
      `insert into payment_webhooks (id, type, created_at, received_at, handled_at)
       values ('evt_old', 'x', now(), now(), now() - interval '31 days'), ('evt_new', 'x', now(), now(), now() - interval '29 days')`,
    )
    await sweep(services)
    expect(await count('select count(*) from events where account_id = $1', [user.account_id])).toBe(1200)
    expect(await run("select id from payment_webhooks where id in ('evt_old', 'evt_new')")).toEqual([
      { id: 'evt_new' },
    ])
  })

  test('each kind of expired row is deleted after its time', async () => {
    const user = await people.verified(freshEmail())
    await run("update sessions set expires_at = now() - interval '1 second' where user_id = $1", [user.id])
    await run(
      "insert into idempotency_keys (scope, key, params_hash, created_at) values ('t', 'old', '', now() - interval '25 hours'), ('t', 'new', '', now() - interval '23 hours')",
    )
    await run("insert into rate_limits (key, points, expire) values ('old', 1, 1)")
    await sweep(services)
    expect(await count('select count(*) from sessions where user_id = $1', [user.id])).toBe(0)
    expect(await run("select key from idempotency_keys where scope = 't'")).toEqual([{ key: 'new' }])
    expect(await count("select count(*) from rate_limits where key = 'old'")).toBe(0)
  })
})

test('an unhandled webhook gets one new job', async () => {
  await run(
    "insert into payment_webhooks (id, type, created_at, received_at) values ('evt_forgotten', 'x', now(), now() - interval '2 hours')",
  )
  // Both at once: the second finds the first one's job.
  await services.asSystem('test', async tx => {
    for (let n = 0; n < 3; n++)
      await services.enqueue(tx, 'billing.webhook', { webhook_id: 'evt_forgotten' }, { key: 'evt_forgotten' })
    const { rows } = await tx.executeQuery(
      CompiledQuery.raw("select count(*) from pgboss.job where singleton_key = 'evt_forgotten'", []),
    )
    expect(rows).toEqual([{ count: 1 }])
    await tx.executeQuery(
      CompiledQuery.raw("delete from pgboss.job where singleton_key = 'evt_forgotten'", []),
    )
  })
  await requeueWebhooks(services)
  await expect
    .poll(
      () =>
        count("select count(*) from payment_webhooks where id = 'evt_forgotten' and handled_at is not null"),
      {
        timeout: 20_000,
      },
    )
    .toBe(1)
  expect(
    (await db.asOwnerOfJobs("select 1 from payment_webhooks where id = 'evt_forgotten'")).rows,
  ).toHaveLength(1)
})
