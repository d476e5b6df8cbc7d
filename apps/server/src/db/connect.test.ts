import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../test/harness/server-process.ts'
import { temporaryFolder } from '../../test/harness/temporary-folder.ts'
import { connect, inspectServer } from './connect.ts'
import { lockFolder } from './embedded/folder-lock.ts'

type Failure = { code: string; message: string }

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const failed = ({ code, message: text }: Failure) =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`))
const accepted = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** A PostgreSQL that answers its connections in turn with these failures, and accepts the ones after them. */
async function fakePostgres(failures: Failure[]): Promise<string> {
  const left = [...failures]
  const server: Server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      const failure = left.shift()
      if (failure) socket.end(failed(failure))
      else socket.write(accepted)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `postgres://acme:a-secret@127.0.0.1:${port}/shop`
}

const why = (url: string, patienceMs = 0) =>
  connect(url, { variable: 'DATABASE_URL', patienceMs }).then(
    () => 'connected',
    (error: Error) => error.message,
  )

test.each([
  ['28P01', /the PostgreSQL at 127\.0\.0\.1:\d+ refuses the login "acme" .*Correct the user or the password/],
  ['28000', /refuses the login "acme"/],
  ['3D000', /the PostgreSQL at 127\.0\.0\.1:\d+ has no database "shop"\. Create it/],
  ['42501', /the login "acme" may not connect to the database "shop"/],
  ['57P03', /no PostgreSQL answers at 127\.0\.0\.1:\d+ \(57P03\)\. Start it/],
  ['53300', /can't connect to the PostgreSQL at 127\.0\.0\.1:\d+ \(53300: what the server says\)/],
])('a connection refused with %s is explained in one line', async (code, text) => {
  const error = await why(await fakePostgres([{ code, message: 'what the server says' }]))
  expect(error).toMatch(new RegExp(`^DATABASE_URL: .*${text.source}`))
  expect(error).not.toContain('a-secret')
  expect(error).not.toContain('\n')
})

test('the error for a closed port explains the cause', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  await once(server, 'close')
  expect(await why(`postgres://acme@127.0.0.1:${port}/shop`)).toBe(
    `DATABASE_URL: no PostgreSQL answers at 127.0.0.1:${port} (ECONNREFUSED). Start it, or correct host and port.`,
  )
})

test('retries with one line while the database is starting, and not after a lasting failure', async () => {
  const starting = { code: '57P03', message: 'the database system is starting up' }
  const lines: string[] = []
  const options = { variable: 'DATABASE_URL', patienceMs: 20_000, onWait: (line: string) => lines.push(line) }
  const client = await connect(await fakePostgres([starting, starting]), options)
  await client.end()
  expect(lines).toEqual([
    expect.stringMatching(/^DATABASE_URL: no PostgreSQL answers .* Trying again for 20 s\.$/),
  ])
  const wrong = await fakePostgres([starting, { code: '3D000', message: 'no such database' }])
  await expect(connect(wrong, options)).rejects.toThrow('has no database "shop"')
})

test('a server before 15 is refused', async () => {
  const row = { version: 140_009, release: '14.9', database: 'shop', pid: 1 }
  const client = { query: async () => ({ rows: [row] }) } as unknown as pg.Client // as: the code under test calls query alone
  await expect(inspectServer(client, 'DATABASE_URL')).rejects.toThrow(
    'DATABASE_URL: expected PostgreSQL 15 or newer, and this is 14.9.',
  )
})

test('a failed start prints the reason without a stack', async () => {
  const DATABASE_URL = await fakePostgres([{ code: '3D000', message: 'no such database' }])
  const server = await startServer({ DATABASE_URL, DATA_DIR: temporaryFolder() }, { expectReady: false })
  expect(await server.exited).toBe(1)
  expect(server.errors().trim()).toMatch(/^Plinth can't start\.\nDATABASE_URL: [^\n]+$/)
})

test('the error for a data folder without write permission names the folder', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  expect(() => lockFolder(join(file, 'data'))).toThrow(
    /^DATA_DIR: expected a folder that can be written to, and .*\(ENOTDIR\)\. Give/,
  )
})
