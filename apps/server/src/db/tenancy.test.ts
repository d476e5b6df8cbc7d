import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { makeTestApp } from '../../test/harness.ts'
import { assertOutsideTransaction, type Tx, transaction } from './transaction.ts'

const { db, people, services } = await makeTestApp()
const accountTables = async () => {
  const { rows } = await db.pool.query<{ table_name: string }>(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id' order by 1",
  )
  return rows.map(row => row.table_name)
}
const countWithoutFilter = (account: string, table: string) =>
  transaction(db, { account }, async tx => {
    const { rows } = await tx.executeQuery<{ own: number; foreign: number }>(
      CompiledQuery.raw(
        `select count(*) filter (where account_id = $1) own, count(*) filter (where account_id <> $1) "foreign" from ${table}`,
        [account],
      ),
    )
    return rows[0]
  })

describe('row-level security [T-35]', () => {
  test('is on and forced for every table with an account_id, present and future, and for every other table', async () => {
    expect(await accountTables()).toEqual(
      expect.arrayContaining(['memberships', 'sessions', 'subscriptions', 'audit_log', 'events']),
    )
    const { rows } = await db.pool.query<{ relname: string; ok: boolean; policies: number }>(
      `select c.relname, c.relrowsecurity and c.relforcerowsecurity as ok,
         (select count(*) from pg_policy p where p.polrelid = c.oid) as policies
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and c.relname not in ('migrations', 'sql_functions', 'rate_limits')`,
    )
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(row => !row.ok || row.policies < 1)).toEqual([])
  })

  test('the application’s roles are no superusers, own no tables and are subject to the policies', async () => {
    const { rows } = await db.pool.query(
      'select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user',
    )
    expect(rows).toEqual([{ name: db.roles.app, rolsuper: false, rolbypassrls: false }])
    const { rows: system } = await db.pool.query(
      'select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = $1',
      [db.roles.system],
    )
    expect(system).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }])
    const { rows: owned } = await db.pool.query(
      "select tablename from pg_tables where schemaname = 'public' and tableowner in ($1, $2)",
      [db.roles.app, db.roles.system],
    )
    expect(owned).toEqual([])
  })

  test('a prepared statement with a cached plan sees only the rows of the current account', async () => {
    const [a, b] = [await people.verified(), await people.verified()]
    const ids = [a.account_id, b.account_id]
    const ask = async (tx: Tx) => {
      const rows = await tx
        .selectFrom('memberships')
        .select('account_id')
        .where('account_id', 'in', ids)
        .execute()
      return rows.map(({ account_id }) => account_id).sort()
    }
    // The database keeps one plan after the fifth execution.
    for (let n = 0; n < 8; n++) {
      expect(await transaction(db, { account: a.account_id }, ask)).toEqual([a.account_id])
      expect(await transaction(db, { account: b.account_id }, ask)).toEqual([b.account_id])
      expect(await transaction(db, 'system', ask)).toEqual(ids.toSorted())
      expect(await ask(db.kysely)).toEqual([])
    }
  })

  test('a query without a filter sees its own account only', async () => {
    const [a] = [await people.verified(), await people.verified()]
    expect(await countWithoutFilter(a.account_id, 'memberships')).toEqual({ own: 1, foreign: 0 })
    expect(await countWithoutFilter(a.account_id, 'sessions')).toEqual({ own: 1, foreign: 0 })
    const seen = await transaction(db, { account: a.account_id }, tx =>
      tx.selectFrom('users').select('id').execute(),
    )
    expect(seen).toEqual([{ id: a.id }])
    const accounts = await transaction(db, { account: a.account_id }, tx =>
      tx.selectFrom('accounts').select('id').execute(),
    )
    expect(accounts).toEqual([{ id: a.account_id }])
  })

  test('without an account a query sees no rows', async () => {
    await people.verified()
    for (const table of [
      ...(await accountTables()),
      'users',
      'accounts',
      'mailed_tokens',
      'masters',
      'payment_webhooks',
      'idempotency_keys',
    ]) {
      const seen = await db.pool.query(`select 1 from ${table}`).then(
        result => result.rowCount,
        (error: { code: string }) => error.code,
      )
      // No rows, or no right to select.
      expect([0, '42501'], table).toContain(seen)
    }
  })

  test('no row can be written into another account, nor moved there', async () => {
    const [a, b] = [await people.verified(), await people.verified()]
    const write = (text: string, values: unknown[]) =>
      transaction(db, { account: a.account_id }, tx => tx.executeQuery(CompiledQuery.raw(text, values)))
    await expect(
      write('insert into memberships (account_id, user_id, role) values ($1, $2, $3)', [
        b.account_id,
        a.id,
        'owner',
      ]),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(write('update memberships set account_id = $1', [b.account_id])).rejects.toMatchObject({
      code: '42501',
    })
    expect(
      (await write('update accounts set plan = $1 where id = $2', ['free', b.account_id])).numAffectedRows,
    ).toBe(0n)
    expect((await write('update subscriptions set seats = 9', [])).numAffectedRows).toBe(0n)
  })

  test.each([
    "update users set first_name = 'Hacked'",
    'update users set password_hash = null',
    "update users set email = 'other@test.plinth.example'",
    'update users set verified_at = now()',
    'delete from users',
    "update memberships set role = 'owner'",
    'delete from memberships',
    "insert into memberships (account_id, user_id, role) select account_id, user_id, 'owner' from memberships",
    "update accounts set name = 'Hacked'",
    'update accounts set id = gen_random_uuid()',
    'delete from accounts',
    'delete from subscriptions',
    'update subscriptions set account_id = gen_random_uuid()',
    'delete from billing_attempts',
    "update billing_attempts set card_token = 'pm_other'",
    'delete from invites',
    "update invites set email = 'other@test.plinth.example'",
    "update sessions set expires_at = 'infinity'",
    'delete from sessions',
    'update events set name = name',
    'delete from events',
    'update audit_log set action = action',
    'delete from audit_log',
    'select from idempotency_keys',
    'select from mailed_tokens',
    'insert into masters select user_id from memberships',
    'select data from pgboss.job',
    'update pgboss.job set data = null',
    'delete from pgboss.job',
    'delete from pgboss.queue',
  ])('the application’s role may not, even in its own account: %s', async statement => {
    const a = await people.verified()
    await expect(
      transaction(db, { account: a.account_id }, tx => tx.executeQuery(CompiledQuery.raw(statement, []))),
    ).rejects.toMatchObject({ code: '42501' })
  })

  test('a context does not outlive its transaction, rolled back or not', async () => {
    const a = await people.verified()
    await transaction(db, { account: a.account_id }, async () => {})
    await expect(
      transaction(db, { account: a.account_id }, () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no')
    for (let n = 0; n < 12; n++) expect((await db.pool.query('select 1 from memberships')).rowCount).toBe(0)
    const { rows } = await db.pool.query(
      "select current_user as name, current_setting('app.account_id', true) as account",
    )
    expect(rows[0]).toMatchObject({ name: db.roles.app })
    expect(rows[0].account || null).toBeNull()
  })

  test('rows of the audit log can’t be changed or deleted', async () => {
    await expect(db.asOwnerOfJobs("update audit_log set action = 'x'")).rejects.toMatchObject({
      code: '42501',
    })
    await expect(db.asOwnerOfJobs('delete from audit_log')).rejects.toMatchObject({ code: '42501' })
    await expect(db.pool.query('drop table audit_log')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('transactions', () => {
  test('a transaction refuses an account id that is no uuid', async () => {
    await expect(transaction(db, { account: "x'; drop table users; --" }, async () => {})).rejects.toThrow(
      'must be a uuid',
    )
  })

  test('a read-only list sees its own account, writes nothing, and resets its settings', async () => {
    const { account_id, user_id } = await people.owner().then(one => ({ ...one, user_id: one.id }))
    const other = await people.owner()
    const clear = (how?: 'readOnlyList') =>
      services.withinAccount(account_id, tx => tx.deleteFrom('api_keys').execute(), how)
    await expect(clear('readOnlyList')).rejects.toThrow('read-only')
    const read = (tx: Tx) => tx.selectFrom('memberships').select('user_id').execute()
    // The commit is sent with the first statement: a second one would run after it.
    const twice = services.withinAccount(
      account_id,
      async tx => [await read(tx), await read(tx)],
      'readOnlyList',
    )
    await expect(twice).rejects.toThrow('one statement')
    const seen = await Promise.all(
      [account_id, other.account_id].map(account => services.withinAccount(account, read, 'readOnlyList')),
    )
    expect(seen).toEqual([[{ user_id }], [{ user_id: other.id }]])
    expect((await db.pool.query('show enable_sort')).rows).toEqual([{ enable_sort: 'on' }])
    expect((await db.pool.query('select id from accounts')).rows).toEqual([])
    await clear()
  })

  test('a transaction inside another one fails, and so does an outside call in one', async () => {
    await expect(services.asSystem('test', () => services.asSystem('test', async () => {}))).rejects.toThrow(
      'inside another',
    )
    await expect(services.asSystem('test', async () => assertOutsideTransaction('mail'))).rejects.toThrow(
      'mail was called inside a transaction',
    )
  })

  test.runIf(!db.embedded)(
    'a connection lost in a transaction ends the transaction, not the process [F-02]',
    async () => {
      const owner = new pg.Client({ connectionString: db.pool.options.connectionString })
      await owner.connect()
      try {
        const cut = transaction(db, 'system', async tx => {
          const { rows } = await tx.executeQuery<{ pid: number }>(
            CompiledQuery.raw('select pg_backend_pid() as pid'),
          )
          await owner.query('select pg_terminate_backend($1)', [rows[0]?.pid])
          await tx.executeQuery(CompiledQuery.raw('select 1'))
        })
        await expect(cut).rejects.toThrow()
        for (let n = 0; n < 12; n++)
          expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
        await owner.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()',
        )
      } finally {
        await owner.end()
      }
      // Calls at that moment may be refused; later ones are served.
      const served = () =>
        people.signUp().then(
          ({ verified }) => verified === false,
          () => 'refused',
        )
      await expect.poll(served, { timeout: 20_000 }).toBe(true)
    },
  )

  test.runIf(!db.embedded)('a lost connection of a read-only list fails no other call [F-02]', async () => {
    const { account_id } = await people.owner()
    const watcher = new pg.Client({ connectionString: db.pool.options.connectionString })
    await watcher.connect()
    try {
      const sleep = CompiledQuery.raw('select pg_sleep(30)')
      const lost = Array.from({ length: db.pool.options.max ?? 10 }, () =>
        services
          .withinAccount(account_id, tx => tx.executeQuery(sleep), 'readOnlyList')
          .then(
            () => 'listed',
            () => 'lost',
          ),
      )
      const asleep = `from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(30)' and wait_event = 'PgSleep'`
      const sleepers = async () => (await watcher.query(`select count(*)::int as count ${asleep}`)).rows[0]
      await expect.poll(sleepers, { timeout: 20_000 }).toEqual({ count: lost.length })
      const waiting = [1, 2, 3].map(() => db.pool.query('select 1 as one'))
      await watcher.query(`select pg_terminate_backend(pid) ${asleep}`)
      expect((await Promise.all(waiting)).map(({ rows }) => rows)).toEqual(waiting.map(() => [{ one: 1 }]))
      expect(new Set(await Promise.all(lost))).toEqual(new Set(['lost']))
    } finally {
      await watcher.end()
    }
  })

  test('a job is committed and rolled back with its transaction', async () => {
    const count = async () =>
      (
        await db.asOwnerOfJobs(
          "select count(*) from pgboss.job where name = 'billing.webhook' and data->>'webhook_id' = 'evt_test'",
        )
      ).rows[0]
    const send = (fail: boolean) =>
      services.asSystem('test', async tx => {
        await services.enqueue(tx, 'billing.webhook', { webhook_id: 'evt_test' })
        if (fail) throw new Error('no')
      })
    await expect(send(true)).rejects.toThrow('no')
    expect(await count()).toEqual({ count: 0 })
    await send(false)
    expect(await count()).toEqual({ count: 1 })
  })
})
