import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

/** A fresh copy of the migrated template, or a fresh database on the PostgreSQL server under test. */
export async function ownDatabase(): Promise<{
  url: string | null
  template?: Uint8Array
  drop(): Promise<void>
}> {
  const base = inject('databaseUrl')
  if (!base) {
    const file = inject('template')
    return { url: null, template: file ? readFileSync(file) : undefined, drop: async () => {} }
  }
  const name = `${inject('run')}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(base, `create database ${name}`)
  const url = new URL(base)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(base, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, statement: string) {
  await asSuperuser(url, client => client.query(statement))
}

async function asSuperuser<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/**
 * A running database for the rest of the test file. Each file has one of its own: on the embedded one all connections
 * share a session, so whatever still works for the file before would work as somebody else.
 */
export async function startDatabase(): Promise<{ engine: Embedded | null; url: string | null }> {
  const { url, template, drop } = await ownDatabase()
  const engine = url === null ? await startEmbedded({ dataDir: null, template }) : null
  afterAll(async () => {
    await engine?.close()
    await drop()
  })
  if (url !== null) await asSuperuser(url, client => migrate(client))
  return { engine, url }
}
