import { execFile } from 'node:child_process'
import { accessSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePorts } from '../../scripts/lib/ports.ts'

const run = promisify(execFile)

export type Cluster = {
  /** The address of a database in it, made empty if it is not there. */
  database(name: string): Promise<string>
  /** The server's own process, when we started it here. */
  pid: number | null
  version: string
  stop(): Promise<void>
}

/** A PostgreSQL of this run's own in a temporary folder, or the one at BENCH_DATABASE_URL. */
export async function openCluster(): Promise<Cluster> {
  const given = process.env.BENCH_DATABASE_URL
  if (given) return { ...(await describe(given)), pid: null, stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-postgres-'))
  const data = join(folder, 'data')
  const port = await freePorts(1)
  const owner = await ownerOf(folder)
  const tool = (name: string, args: string[]) => run(join(binaries(), name), args, { ...owner, cwd: folder })
  await tool('initdb', [
    '--auth=trust',
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '-D',
    data,
  ])
  const settings = `-p ${port} -h 127.0.0.1 -k ${folder} -c shared_buffers=512MB -c max_connections=200 -c autovacuum=off`
  await tool('pg_ctl', ['-D', data, '-l', join(folder, 'log'), '-o', settings, '-w', 'start'])
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    ...(await describe(`postgres://postgres@127.0.0.1:${port}/postgres`)),
    pid,
    async stop() {
      await tool('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop'])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function describe(url: string) {
  const version = await onDatabase(url, async client => {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version ?? ''
  })
  return {
    version,
    async database(name: string) {
      await onDatabase(url, async client => {
        await client.query(`drop database if exists ${name} with (force)`)
        await client.query(`create database ${name}`)
      })
      const own = new URL(url)
      own.pathname = `/${name}`
      return own.href
    },
  }
}

/** Runs something on a connection of its own. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** PostgreSQL refuses to run as root; then the folder and the processes belong to the user postgres. */
async function ownerOf(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  const owner = { uid: await id('-u'), gid: await id('-g') }
  chownSync(folder, owner.uid, owner.gid)
  return owner
}

function binaries(): string {
  const places = [
    process.env.PG_BIN,
    ...[18, 17, 16, 15].map(version => `/usr/lib/postgresql/${version}/bin`),
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/usr/bin',
  ]
  const found = places.find(place => {
    try {
      accessSync(join(place ?? '', 'initdb'))
      return place !== undefined
    } catch {
      return false // Not in this place.
    }
  })
  if (!found)
    throw new Error(
      'No PostgreSQL was found. Install one, name its folder in PG_BIN, or set BENCH_DATABASE_URL.',
    )
  return found
}
