import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { type Roles, withRoles } from './roles.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Any number that nothing else in this database uses: one server at a time migrates. */
const advisoryLock = 7_209_113

/** Creates the two roles, the login's membership, the list of migrations and the queue's schema where missing; closes the database. */
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
create schema if not exists pgboss;
grant usage, create on schema pgboss to plinth_system;
grant usage on schema pgboss to plinth_app;
-- Other databases of the same server may belong to other people: only the owner and logins with a grant connect here.
-- At each start, because a restored dump comes without the database's own rights.
do $$ begin
  if pg_has_role(current_user, (select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('revoke connect, temporary on database %I from public', current_database());
  end if;
end $$;`

/**
 * Brings the database to the newest schema, forward only, each file in its own transaction. The lock belongs to the
 * transaction, because behind a pooler a session may continue on another connection.
 * @param client a connection of the login that owns the database, not of one of the two roles
 * @param variable which setting to name when the login has too few rights
 * @returns names of the migrations applied now
 */
export async function migrate(client: pg.Client, roles: Roles, variable = 'DATABASE_URL'): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  const applied: string[] = []
  try {
    await client.query(begin)
    await client.query(withRoles(prepare, roles)).catch(error => {
      throw whyNotPrepared(error, variable, roles)
    })
    let done = await listApplied(client)
    if (done.size > 0) await assertOwnTables(client, roles, variable)
    for (let next = firstDue(files, done); next; next = firstDue(files, done)) {
      const sql = withRoles(await readFile(new URL(next, folder), 'utf8'), roles)
      await client.query(`${sql};\ninsert into migrations (name) values ('${next}');\ncommit`)
      applied.push(next)
      await client.query(begin)
      // Another server may have been faster while the lock was free.
      done = await listApplied(client)
    }
    await client.query('commit')
    return applied
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const begin = `begin; select pg_advisory_xact_lock(${advisoryLock})`
const firstDue = (files: string[], done: Set<string>) => files.find(name => !done.has(name))

async function listApplied(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return new Set(rows.map(row => row.name))
}

/** A database that was renamed or copied has tables whose rights belong to the roles of the first name. */
async function assertOwnTables(client: pg.Client, roles: Roles, variable: string) {
  const { rows } = await client.query<{ ok: boolean; name: string }>(
    "select has_table_privilege($1, 'users', 'select') as ok, current_database() as name",
    [roles.system],
  )
  if (rows[0] && !rows[0].ok)
    throw new ConfigError(
      `${variable}: the tables of the database "${rows[0].name}" were made under another database name, for other roles than ${roles.app} and ${roles.system}.\n` +
        'docs/operations.md, "Renaming and copying", shows how to move them.',
    )
}

function whyNotPrepared(error: unknown, variable: string, roles: Roles): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return error
  return new ConfigError(
    `${variable}: this login may not create what Plinth needs (${error.message}): the roles ${roles.app} and ${roles.system}, and tables in its database.\n` +
      'Let it own the database and give it CREATEROLE, or let an administrator run the SQL in docs/operations.md, "PostgreSQL".',
  )
}
