import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { describeSchema } from './describe.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { rolesOf } from './roles.ts'

const roles = rolesOf(null)
const engines: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

async function emptyDatabase() {
  const engine = await startEmbedded({ dataDir: null })
  const client = new pg.Client(engine.connection)
  await client.connect()
  engines.push({ close: () => client.end().then(() => engine.close()) })
  return client
}
const fromSchema = await emptyDatabase()
const fromSteps = await emptyDatabase()
const recorded = [
  await migrate(fromSchema, roles),
  await migrate(fromSteps, roles, 'DATABASE_URL', 'migrations'),
]

const read = (folder: string) => {
  const url = new URL(`./${folder}/`, import.meta.url)
  return readdirSync(url).map(name => ({ name, text: readFileSync(new URL(name, url), 'utf8') }))
}

/** Each property of the schema as a line. The order of a table's columns does not count: queries name them. */
const catalogue = `
  select format('table %s %s %s %s', relname, relrowsecurity, relforcerowsecurity, relacl) as line from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all select format('column %s.%s %s %s %s %s %s %s %s', attrelid::regclass, attname,
      format_type(atttypid, atttypmod), attnotnull, attgenerated, attidentity, attcollation::regcollation, attacl,
      pg_get_expr(adbin, adrelid))
    from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
  union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select format('policy %s %s %s %s %s %s %s', polrelid::regclass, polname, polcmd, polpermissive,
      polroles::regrole[], pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select format('%s owner %s %s', pg_get_functiondef(oid), proowner::regrole, proacl) from pg_proc
    where pronamespace = 'public'::regnamespace
  union all select format('%s %s', relkind, relname) from pg_class
    where relnamespace = 'public'::regnamespace and relkind not in ('r', 'i')
  union all select format('%s %s', typtype, typname) from pg_type
    where typnamespace = 'public'::regnamespace and typrelid = 0 and typelem = 0
  order by 1`
const describe = async (client: pg.Client) =>
  (await client.query<{ line: string }>(catalogue)).rows.map(({ line }) => line)

test('the schema files and all steps build the same database', async () => {
  const steps = read('migrations').map(({ name }) => name)
  expect(recorded).toEqual([steps, steps])
  const lines = await describe(fromSchema)
  expect(lines.length).toBeGreaterThan(500)
  expect(await describe(fromSteps)).toEqual(lines)
})

test.each([
  'alter table users add column more text',
  'alter table users alter column locale drop not null',
  "alter table users alter column locale set default 'de'",
  'alter table accounts drop constraint accounts_name_check',
  'drop index users_email',
  'drop policy own_account on memberships',
  'alter table sessions no force row level security',
  'grant delete on users to plinth_app',
  'grant update (name) on accounts to plinth_app',
  'drop trigger record_seat_change on memberships',
  'alter function is_email cost 1000',
  'grant execute on function create_password_session to public',
])('the comparison finds: %s', async statement => {
  const before = await describe(fromSteps)
  await fromSteps.query('begin')
  onTestFinished(async () => void (await fromSteps.query('rollback')))
  await fromSteps.query(statement)
  expect(await describe(fromSteps)).not.toEqual(before)
})

test('each SQL function is defined once, in the file of its name', async () => {
  const defined = (text: string) => [...text.matchAll(/create (?:or replace )?function ([a-z_]+)/gi)]
  for (const folder of ['schema', 'migrations'])
    for (const { name, text } of read(folder)) expect(defined(text), name).toEqual([])
  const functions = read('functions')
  for (const { name, text } of functions)
    expect(
      defined(text).map(match => `${match[1]}.sql`),
      name,
    ).toEqual([name])
  const { rows } = await fromSchema.query<{ name: string }>(
    "select proname || '.sql' as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  )
  expect(rows.map(({ name }) => name)).toEqual(functions.map(({ name }) => name).sort())
})

test('no SQL function has more than six parameters', async () => {
  const { rows } = await fromSchema.query(
    "select proname from pg_proc where pronamespace = 'public'::regnamespace and pronargs > 6",
  )
  expect(rows).toEqual([])
})

test('the bodies of all functions are valid in the finished schema', async () => {
  await fromSchema.query('begin; grant create on schema public to plinth_system')
  for (const { text } of read('functions')) await fromSchema.query(text)
  await fromSchema.query('rollback')
})

test('the generated types are current', async () => {
  expect(await describeSchema(fromSchema), 'stale: run npm run db:generate').toBe(
    readFileSync(new URL('./schema.generated.ts', import.meta.url), 'utf8'),
  )
  expect(await migrate(fromSchema, roles), 'a second run finds nothing to do').toEqual([])
})

test('a changed function is applied again, and not by a server of an earlier release', async () => {
  const client = fromSteps
  const source = async () =>
    (await client.query("select prosrc from pg_proc where proname = 'role_rank'")).rows[0].prosrc
  const original = await source()
  const change = async () => {
    await client.query("update sql_functions set hash = '' where name = 'role_rank.sql'")
    await client.query(
      "create or replace function role_rank(p_role text) returns text language sql immutable parallel safe as $$ select '0' $$",
    )
  }
  await change()
  expect(await migrate(client, roles)).toEqual([])
  expect(await source()).toBe(original)

  await change()
  await client.query("insert into migrations (name) values ('9999_later.sql')")
  expect(await migrate(client, roles)).toEqual([])
  expect(await source()).not.toBe(original)
})

test('a database of a development version is refused', async () => {
  await fromSteps.query('delete from migrations')
  await fromSteps.query("insert into migrations (name) values ('0001_ground.sql')")
  await expect(migrate(fromSteps, roles)).rejects.toThrow(
    /^DATABASE_URL: the database "postgres" was made by a development version and can't be upgraded\.\n/,
  )
})
