import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePorts } from './ports.ts'
import { sharedEnvironment } from './product.ts'
import { findStartProblems } from './start-check.ts'

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'plinth-check-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const problems = (env: Record<string, string>, withSandbox = true) =>
  findStartProblems(sharedEnvironment('/', env), env, withSandbox)

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
  expect(await problems(env)).toEqual([])
})

test.each([
  [{ PORT: '70000' }, /^PORT: expected a port number, 0 to 65535/],
  [{ PORT: 'http' }, /^PORT: expected a port number/],
  [{ PORT: '5000', SANDBOX_PORT: '70000' }, /^SANDBOX_PORT: expected a port number, 0 to 65535/],
  [{ PORT: '65535' }, /^SANDBOX_PORT: expected, because PORT \+ 1 is no port/],
])('a wrong port %o is named as what was set', async (env, message) => {
  expect((await problems({ DATA_DIR: folder(), ...env }))[0]).toMatch(message)
})

test('a data folder that the sandbox can’t write to is named', async () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  const env = { PORT: String(await freePorts(3)), DATA_DIR: join(file, 'data') }
  expect(await problems(env)).toEqual([
    expect.stringMatching(/^DATA_DIR: expected a folder that can be written to, and .*\(ENOTDIR\)/),
  ])
})

test('a data folder that nothing needs is not looked at', async () => {
  const file = join(folder(), 'file')
  writeFileSync(file, '')
  const env = { PORT: String(await freePorts(1)), DATA_DIR: join(file, 'data') }
  expect(await problems(env, false)).toEqual([])
})

test('wrong ports, taken ports and the server’s other settings are one list', async () => {
  const port = await freePorts(1)
  await serving(port, 'hello')
  const production = { NODE_ENV: 'production', DATA_DIR: folder() }
  const namesOf = async (env: Record<string, string>) =>
    (await problems({ ...production, ...env }, false)).map(line => line.split(':', 1)[0])
  expect(await namesOf({ PORT: 'eighty' })).toEqual(expect.arrayContaining(['PORT', 'APP_SECRET']))
  expect(await namesOf({ PORT: String(port) })).toEqual(expect.arrayContaining(['APP_SECRET', 'PORT']))
})

test.each([
  ['PORT', 0, '{"live":true}'],
  ['SANDBOX_PORT', 1, '{"data":[]}'],
])('%s taken by another Plinth says so', async (name, offset, answer) => {
  const port = await freePorts(3)
  await serving(port + offset, answer)
  expect(await problems({ PORT: String(port), DATA_DIR: folder() })).toEqual([
    expect.stringMatching(`^${name}: another Plinth already runs here, on port ${port + offset} `),
  ])
})

test.each([
  ['PORT', 0],
  ['SANDBOX_PORT', 1],
  ['SANDBOX_SMTP_PORT', 2],
])('%s taken by another program is named', async (name, offset) => {
  const port = await freePorts(3)
  await serving(port + offset, 'hello')
  const env = { PORT: String(port), DATA_DIR: folder() }
  expect(await problems(env)).toEqual([
    expect.stringMatching(`^${name}: port ${port + offset} is taken by another program`),
  ])
  if (name !== 'PORT') expect(await problems(env, false)).toEqual([])
})

test('a worker needs no port of its own', async () => {
  const port = await freePorts(3)
  await serving(port, 'hello')
  expect(await problems({ PORT: String(port), DATA_DIR: folder(), ROLE: 'worker' }, false)).toEqual([])
})
