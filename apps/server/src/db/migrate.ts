import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { type Roles, withRoles } from './roles.ts'

/** Any number that nothing else in this database uses: one server at a time migrates. */
const advisoryLock = 7_209_113
const firstStep = '0001_initial.sql'

type Folder = 'schema' | 'functions' | 'migrations'
type SqlFile = { name: string; text: string }

/** Creates the two roles, the login's membership, our two lists and the queue's schema where missing; closes the database. */
const prepare = `
do $$
declare
  -- Since 16 the creator of a role is its member at once, but without the right to SET ROLE.
  privilege text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
begin
  if not exists (select from pg_roles where rolname = 'plinth_app') then create role plinth_app nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'plinth_system') then create role plinth_system nologin noinherit; end if;
  if not pg_has_role(current_user, 'plinth_app', privilege) then execute format('grant plinth_app to %I', current_user); end if;
  if not pg_has_role(current_user, 'plinth_system', privilege) then execute format('grant plinth_system to %I', current_user); end if;
end $$;
create table if not exists migrations (name text primary key, applied_at timestamptz not null default now());
create table if not exists sql_functions (name text primary key, hash text not null);
create schema if not exists pgboss;
grant usage, create on schema pgboss to plinth_system;
grant usage on schema pgboss to plinth_app;
grant usage on schema public to plinth_app, plinth_system;
-- Other databases of the same server may belong to other people: only the owner and logins with a grant connect here.
-- At each start, because a restored dump comes without the database's own rights.
do $$ begin
  if pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('revoke connect, temporary on database %I from public', current_database());
  end if;
end $$;`

/**
 * Brings the database to the newest schema, forward only, in one transaction. A new database is built from the files of
 * schema/; an older one gets the steps of migrations/ that it lacks. The lock belongs to the transaction, because behind
 * a pooler a session may continue on another connection.
 * @param client a connection of the login that owns the database, not of one of the two roles
 * @param variable the setting that an error about missing rights names
 * @param start where a new database begins: a test compares both ways
 * @returns names of the steps recorded now
 */
export async function migrate(
  client: pg.Client,
  roles: Roles,
  variable = 'DATABASE_URL',
  start: 'schema' | 'migrations' = 'schema',
): Promise<string[]> {
  const steps = await listSql('migrations')
  try {
    await client.query(`begin; select pg_advisory_xact_lock(${advisoryLock})`)
    await client.query(withRoles(prepare, roles)).catch(error => {
      throw explainMissingRights(error, variable, roles)
    })
    const applied = await listApplied(client)
    if (applied.size > 0) await assertUpgradable(client, { applied, roles, variable })
    const due = steps.filter(name => !applied.has(name))
    const unknown = applied.size - (steps.length - due.length)
    // After a step of a later release its functions stay: this server is of an earlier one.
    if (unknown === 0) await applyFunctions(client, roles)
    const isNew = applied.size === 0
    const files =
      isNew && start === 'schema' ? await readSql('schema', roles) : await readSql('migrations', roles, due)
    for (const file of files) await runFile(client, file)
    await client.query('insert into migrations (name) select unnest($1::text[])', [due])
    await client.query('commit')
    return due
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const urlOf = (folder: Folder) => new URL(`./${folder}/`, import.meta.url)

/** The names of a folder's SQL files, in order. */
const listSql = async (folder: Folder): Promise<string[]> =>
  (await readdir(urlOf(folder))).filter(name => name.endsWith('.sql')).sort()

/** Reads SQL files of a folder, all of them unless `names` are given. */
async function readSql(folder: Folder, roles: Roles, names?: string[]): Promise<SqlFile[]> {
  const read = async (name: string) => ({
    name,
    text: withRoles(await readFile(new URL(name, urlOf(folder)), 'utf8'), roles),
  })
  return Promise.all((names ?? (await listSql(folder))).map(read))
}

async function runFile(client: pg.Client, { name, text }: SqlFile) {
  await client.query(text).catch(error => {
    throw new Error(`${name}: ${error.message}`, { cause: error })
  })
}

/**
 * Creates or replaces the functions whose file has changed. They come before the tables, whose policies, checks and
 * triggers need them; their bodies are therefore not checked.
 */
async function applyFunctions(client: pg.Client, roles: Roles) {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from sql_functions')
  const known = new Map(rows.map(({ name, hash }) => [name, hash]))
  const changed = (await readSql('functions', roles))
    .map(file => ({ ...file, hash: createHash('sha256').update(file.text).digest('hex') }))
    .filter(({ name, hash }) => known.get(name) !== hash)
  if (changed.length === 0) return
  const asOwner = (text: string) => client.query(withRoles(text, roles))
  // Some functions run as plinth_system. To become their owner it needs the right to create.
  await asOwner('set local check_function_bodies = off; grant create on schema public to plinth_system')
  for (const file of changed) {
    await runFile(client, file)
    await client.query(
      `insert into sql_functions (name, hash) values ($1, $2) on conflict (name) do update set hash = excluded.hash`,
      [file.name, file.hash],
    )
  }
  await asOwner('set local check_function_bodies = on; revoke create on schema public from plinth_system')
}

async function listApplied(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return new Set(rows.map(row => row.name))
}

/** Fails for a database from before the first release, and for one whose rights belong to the roles of another name. */
async function assertUpgradable(
  client: pg.Client,
  { applied, roles, variable }: { applied: Set<string>; roles: Roles; variable: string },
) {
  const { rows } = await client.query<{ ok: boolean; name: string }>(
    "select has_table_privilege($1, 'users', 'select') as ok, current_database() as name",
    [roles.system],
  )
  if (rows[0] && !rows[0].ok)
    throw new ConfigError(
      `${variable}: the tables of the database "${rows[0].name}" were made under another database name, for other roles than ${roles.app} and ${roles.system}.\n` +
        'docs/operations.md, "Renaming and copying", shows how to move them.',
    )
  if (!applied.has(firstStep))
    throw new ConfigError(
      `${variable}: the database "${rows[0]?.name}" was made by a development version and can't be upgraded.\n` +
        'Use an empty database, or for the embedded one an empty data folder (DATA_DIR).',
    )
}

function explainMissingRights(error: unknown, variable: string, roles: Roles): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return error
  return new ConfigError(
    `${variable}: this login may not create what Plinth needs (${error.message}): the roles ${roles.app} and ${roles.system}, and tables in its database.\n` +
      'Let it own the database and give it CREATEROLE, or let an administrator run the SQL in docs/operations.md, "PostgreSQL".',
  )
}
