import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { type Roles, rolesOf } from './roles.ts'

export type ConnectOptions = {
  /** The setting with the address, for messages. */
  variable: string
  /** How long to retry while no database answers. */
  patienceMs?: number
  /** Called once, when the first try failed and is repeated. */
  onWait?: (message: string) => void
}

const oldestVersion = 150_000
const retryEveryMs = 500

export const settingsOf = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: 2000,
  application_name: 'plinth',
})

/** Connects. Retries while the database is starting; explains any other failure with the setting's name. */
export async function connect(url: string, options: ConnectOptions): Promise<pg.Client> {
  const { variable, patienceMs = 30_000, onWait } = options
  const deadline = Date.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client(settingsOf(url))
    // Without this listener a lost connection would end the process and not just its next query.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      const failure = explain(error, url, variable)
      if (!failure.isTemporary || Date.now() >= deadline) throw new ConfigError(failure.message)
      if (attempt === 1) onWait?.(`${failure.message} Trying again for ${Math.round(patienceMs / 1000)} s.`)
      await wait(Math.min(retryEveryMs, Math.max(1, deadline - Date.now())))
    }
  }
}

/** Codes of a server that is starting, and of a network that does not know its name yet. */
const temporary = new Set([
  '57P03',
  '57P01',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

function explain(error: unknown, url: string, variable: string): { message: string; isTemporary: boolean } {
  const { code = '', message } = error as { code?: string; message: string } // as: Node's and the driver's errors
  const { user, host, port, database } = new pg.Client(settingsOf(url))
  const where = `${host}:${port}`
  const lasting = (text: string) => ({ message: `${variable}: ${text}`, isTemporary: false })
  if (code === '28P01' || code === '28000')
    return lasting(
      `the PostgreSQL at ${where} refuses the login "${user}" (${message}). Correct the user or the password.`,
    )
  if (code === '3D000')
    return lasting(
      `the PostgreSQL at ${where} has no database "${database}". Create it, or correct the name at the end of the address.`,
    )
  if (code === '42501')
    return lasting(
      `the login "${user}" may not connect to the database "${database}" at ${where}. Grant it CONNECT there.`,
    )
  // The driver's own time-out has no code.
  if (temporary.has(code) || /time-?out|terminated/i.test(message))
    return {
      message: `${variable}: no PostgreSQL answers at ${where} (${code || message}). Start it, or correct host and port.`,
      isTemporary: true,
    }
  return lasting(
    `can't connect to the PostgreSQL at ${where} (${[code, message].filter(Boolean).join(': ')}).`,
  )
}

export type Server = {
  roles: Roles
  /** Behind a pooler the next statement outside a transaction may run on another connection of the server. */
  isPooled: boolean
}

/** Checks the server's version, and finds the roles of its database and whether a pooler is in between. */
export async function inspectServer(client: pg.Client, variable: string): Promise<Server> {
  const { rows } = await client.query<{ version: number; release: string; database: string; pid: number }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as release,
       current_database() as database, pg_backend_pid() as pid`,
  )
  const [found] = rows
  if (!found || found.version < oldestVersion)
    throw new ConfigError(
      `${variable}: expected PostgreSQL 15 or newer, and this is ${found?.release}. Upgrade it, or name another server.`,
    )
  // A pooler reports a process id of its own.
  const { processID } = client as pg.Client & { processID?: number } // as: pg's types leave it out
  return { roles: rolesOf(found.database), isPooled: processID !== found.pid }
}

/** Fails when a login can't take the two roles that every transaction runs as. */
export async function assertMayTakeRoles(client: pg.Client, roles: Roles, variable: string) {
  const { rows } = await client.query<{ login: string; ok: boolean }>(
    `select current_user as login, bool_and(pg_has_role(current_user, role,
       case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)) as ok
     from unnest($1::name[]) as role`,
    [[roles.app, roles.system]],
  )
  if (rows[0] && !rows[0].ok)
    throw new ConfigError(
      `${variable}: the login "${rows[0].login}" is no member of the roles ${roles.app} and ${roles.system}.\n` +
        `Run as the owner of the database: grant ${roles.app}, ${roles.system} to "${rows[0].login}"`,
    )
}

/** Fails when migrations would go to another database than the one that is served. */
export async function assertSameDatabase(
  databaseUrl: string,
  migrationUrl: string,
  options: Omit<ConnectOptions, 'variable'>,
) {
  const served = await identifyDatabase(databaseUrl, { ...options, variable: 'DATABASE_URL' })
  const migrated = await identifyDatabase(migrationUrl, { ...options, variable: 'MIGRATION_DATABASE_URL' })
  if (served.identity !== migrated.identity)
    throw new ConfigError(
      `MIGRATION_DATABASE_URL: expected the database of DATABASE_URL, which is ${served.place}, and this is ${migrated.place}.\n` +
        'Correct the host, the port or the database name of one of them; only user and password may differ.',
    )
}

/** Servers differ in their start time, which every login may read. */
async function identifyDatabase(url: string, options: ConnectOptions) {
  const client = await connect(url, options)
  const { rows } = await client
    .query<{ name: string; identity: string }>(
      `select current_database() as name, concat_ws(' ', oid, extract(epoch from pg_postmaster_start_time())) as identity
       from pg_database where datname = current_database()`,
    )
    .finally(() => client.end())
  return { place: `"${rows[0]?.name}" at ${client.host}:${client.port}`, identity: rows[0]?.identity }
}
