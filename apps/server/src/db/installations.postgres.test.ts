import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createInstallation } from '../../test/harness/postgres-installation.ts'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { openQueue } from '../jobs/queue.ts'
import { makeLog } from '../log.ts'
import { startEmbedded } from './embedded/start.ts'
import { openDb } from './pool.ts'
import { transaction } from './transaction.ts'

type Installation = Awaited<ReturnType<typeof createInstallation>>

async function install(how: Parameters<typeof createInstallation>[0]): Promise<Installation> {
  const installation = await createInstallation(how)
  onTestFinished(installation.drop)
  return installation
}

/** Opens an installation as a start does, the queue included. */
async function open(installation: Installation, migrationUrl: string | null = null) {
  const db = await openDb({
    databaseUrl: installation.url(),
    migrationUrl,
    dataDir: null,
    poolSize: 2,
    patienceMs: 0,
  })
  onTestFinished(() => db.close())
  const queue = openQueue(db, makeLog('silent'), { workers: false })
  await queue.start()
  await queue.stop()
  return db
}

async function connectAs(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const versionOf = async (client: pg.Client) =>
  Number((await client.query('show server_version_num')).rows[0].server_version_num)
const denied = { code: '42501' }

describe('rights on PostgreSQL', () => {
  test.each(['createrole', 'one-login'] as const)(
    'a login made by %s starts, and starts again',
    async how => {
      const installation = await install(how)
      const db = await open(installation)
      expect(db.roles).toEqual(installation.roles)
      expect(await transaction(db, 'system', tx => tx.selectFrom('users').select('id').execute())).toEqual([])
      await open(installation)
    },
  )

  test('a login without the right to create roles gets instructions', async () => {
    const installation = await install('no-roles')
    const { app, system } = installation.roles
    await expect(open(installation)).rejects.toThrow(
      new RegExp(
        `^DATABASE_URL: this login may not create what Plinth needs.*${app} and ${system}.*\n.*CREATEROLE`,
      ),
    )
  })

  test('with two logins, the serving login can neither change tables nor become their owner', async () => {
    const installation = await install('two-logins')
    await open(installation, installation.ownerUrl)
    const serving = await connectAs(installation.url())
    for (const statement of [
      'alter table users add column more text',
      'drop table users',
      'create table more ()',
      'truncate users',
      `set role ${installation.name}_owner`,
      `grant ${installation.name}_owner to current_user`,
      'create role more',
    ])
      await expect(serving.query(statement), statement).rejects.toMatchObject(denied)
    for (const role of Object.values(installation.roles)) {
      await serving.query(`set role ${role}`)
      await expect(serving.query('drop table users')).rejects.toMatchObject(denied)
      await serving.query('reset role')
    }
    // Of the schema public, no role owns more than functions, which it can't replace.
    const { rows: objects } = await serving.query<{ name: string; owner: string; kind: string }>(
      `select c.oid::regclass::text as name, c.relowner::regrole::text as owner, c.relkind::text as kind
       from pg_class c where c.relnamespace = 'public'::regnamespace`,
    )
    expect(objects.filter(({ owner }) => owner !== `${installation.name}_owner`)).toEqual([])
    const tables = objects.filter(({ kind }) => kind === 'r').map(({ name }) => name)
    expect(tables).toContain('audit_log')
    const { rows: functions } = await serving.query<{ definition: string }>(
      "select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace",
    )
    for (const role of [null, ...Object.values(installation.roles)]) {
      if (role) await serving.query(`set role ${role}`)
      for (const statement of [
        ...tables.flatMap(name => [
          `alter table ${name} no force row level security`,
          `create policy more on ${name}`,
          `create trigger more before insert on ${name} execute function suppress_redundant_updates_trigger()`,
          `drop table ${name}`,
        ]),
        ...functions.map(({ definition }) => definition),
        'create table public.more ()',
        'create schema more',
      ])
        await expect(serving.query(statement), statement).rejects.toMatchObject(denied)
      await serving.query('reset role')
    }
    // Without MIGRATION_DATABASE_URL this login would have to migrate.
    await expect(open(installation)).rejects.toThrow(/^DATABASE_URL: /)
  })

  test('a MIGRATION_DATABASE_URL with another database than DATABASE_URL is refused', async () => {
    const [first, second] = [await install('two-logins'), await install('two-logins')]
    await open(second, second.ownerUrl)
    const address = new URL(first.url())
    const secondOwner = await connectAs(second.ownerUrl)
    await secondOwner.query(`grant connect on database ${second.name} to ${first.name}`)
    await expect(open({ ...first, url: () => first.url(second.name) }, first.ownerUrl)).rejects.toThrow(
      `MIGRATION_DATABASE_URL: expected the database of DATABASE_URL, which is "${second.name}" at ${address.host}, and this is "${first.name}" at ${address.host}.\n`,
    )
    const migrated = await connectAs(first.ownerUrl)
    expect((await migrated.query("select to_regclass('migrations') as name")).rows).toEqual([{ name: null }])
  })

  test('a MIGRATION_DATABASE_URL with the same database name on another server is refused', async () => {
    const installation = await install('two-logins')
    const embedded = await startEmbedded({ dataDir: temporaryFolder() })
    onTestFinished(() => embedded.close())
    const { host, port } = embedded.connection
    const other = `postgres://postgres@localhost:${port}/postgres?host=${encodeURIComponent(String(host))}`
    await expect(open({ ...installation, url: () => installation.url('postgres') }, other)).rejects.toThrow(
      /^MIGRATION_DATABASE_URL: expected the database of DATABASE_URL, which is "postgres" at .*, and this is "postgres" at /,
    )
    // It starts a database of its own, which takes a busy machine its time.
  }, 120_000)

  test.each(['createrole', 'one-login'] as const)(
    'two installations by %s on one server can’t reach each other',
    async how => {
      const [first, second] = [await install(how), await install(how)]
      await open(first)
      await open(second)
      const other = await connectAs(second.url())
      // Before 16 CREATEROLE reaches every role; docs/operations.md says so.
      const mayGrant = how === 'createrole' && (await versionOf(other)) < 160_000
      await expect(connectAs(second.url(first.name))).rejects.toMatchObject(denied)
      for (const role of [...Object.values(first.roles), first.name]) {
        await expect(other.query(`set role ${role}`)).rejects.toMatchObject(denied)
        if (!mayGrant)
          await expect(other.query(`grant ${role} to ${second.name}`)).rejects.toMatchObject(denied)
      }
      // As after a dump was restored, which brings no rights of the database itself.
      const owner = await connectAs(first.url())
      await owner.query(`grant connect on database ${first.name} to public`)
      await open(first)
      await expect(connectAs(second.url(first.name))).rejects.toMatchObject(denied)
    },
  )

  test('a database that was renamed is refused until its roles are renamed, too', async () => {
    const installation = await install('createrole')
    const db = await open(installation)
    await db.close()
    const owner = await connectAs(installation.url())
    await owner.query(`alter role ${installation.roles.app} rename to ${installation.roles.app}_before`)
    await owner.query(`alter role ${installation.roles.system} rename to ${installation.roles.system}_before`)
    await expect(open(installation)).rejects.toThrow(
      new RegExp(`^DATABASE_URL: the tables of the database "${installation.name}" were made under another`),
    )
    await owner.query(`drop role if exists ${installation.roles.app}, ${installation.roles.system}`)
    for (const role of Object.values(installation.roles))
      await owner.query(`alter role ${role}_before rename to ${role}`)
    await open(installation)
  })
})
