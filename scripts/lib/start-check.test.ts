import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts } from './ports.ts'
import { sharedEnvironment } from './product.ts'
import { findStartProblem } from './start-check.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'plinth-check-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const problem = (env: Record<string, string>, withSandbox = true) =>
  findStartProblem(sharedEnvironment('/', env), env, withSandbox)

/** Something that answers every request with this text. */
async function serving(port: number, text: string): Promise<void> {
  const server: Server = createServer((_, response) => response.end(text))
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
}

test('free ports and a folder that can be written to are no problem', async () => {
  const env = { PORT: String(await freePorts(3)), DATA_DIR: join(folder(), 'new') }
  expect(await problem(env)).toBeNull()
})

test.each([
  [{ PORT: '70000' }, /^PORT: expected a port number, 0 to 65535, and it is 70000/],
  [{ PORT: 'http' }, /^PORT: expected a port number/],
  [
    { PORT: '5000', SANDBOX_PORT: '70000' },
    /^SANDBOX_PORT: expected a port number, 0 to 65535, and it is 70000/,
  ],
  [{ PORT: '65535' }, /^SANDBOX_PORT: expected a port number, because .*65536 is none/],
])('a wrong port %o is named as what was set', async (env, message) => {
  expect(await problem({ DATA_DIR: folder(), ...env })).toMatch(message)
})

test('a data folder that can’t be made or written to is named', async () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  const env = { PORT: String(await freePorts(3)), DATA_DIR: join(file, 'data') }
  expect(await problem(env)).toMatch(
    /^DATA_DIR: expected a folder that can be written to, and .*\(ENOTDIR\)\.\n/,
  )
})

test.each([
  ['PORT', 0, '{"live":true}'],
  ['SANDBOX_PORT', 1, '{"data":[]}'],
])('%s taken by another Plinth says so', async (name, offset, answer) => {
  const port = await freePorts(3)
  await serving(port + offset, answer)
  expect(await problem({ PORT: String(port), DATA_DIR: folder() })).toMatch(
    new RegExp(`^${name}: another Plinth already runs here, on port ${port + offset} `),
  )
})

test.each([
  ['PORT', 0],
  ['SANDBOX_PORT', 1],
  ['SANDBOX_SMTP_PORT', 2],
])('%s taken by another program is named', async (name, offset) => {
  const port = await freePorts(3)
  await serving(port + offset, 'hello')
  const env = { PORT: String(port), DATA_DIR: folder() }
  expect(await problem(env)).toMatch(
    new RegExp(`^${name}: port ${port + offset} is taken by another program`),
  )
  if (name !== 'PORT') expect(await problem(env, false)).toBeNull()
})

test('a worker needs no port of its own', async () => {
  const port = await freePorts(3)
  await serving(port, 'hello')
  expect(await problem({ PORT: String(port), DATA_DIR: folder(), ROLE: 'worker' }, false)).toBeNull()
})
