import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDataFolder, startServer } from '../../../test/harness/server-process.ts'
import { temporaryFolder } from '../../../test/harness/temporary-folder.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'

// As long as one comes: what holds there holds in a shorter one.
const dataDir = await createDataFolder('a-rather-long-name-for-a-folder'.repeat(4))
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer({ DATA_DIR: dataDir })
})
afterAll(() => server?.stop())

test('a second server on the same data folder is refused with a clear message', async () => {
  const second = await startServer({ DATA_DIR: dataDir }, { expectReady: false })
  expect(await second.exited).toBe(1)
  expect(second.errors()).toContain(
    `The data folder ${dataDir} is in use by another Plinth server (process ${server.pid})`,
  )
})

test('a data folder stays locked until its process ends, also by kill -9', async () => {
  const dataDir = temporaryFolder()
  // The program drops the function that releases the lock; garbage collection must not close the file.
  const program = `
    import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)}
    lockFolder(${JSON.stringify(dataDir)})
    gc()
    console.log('held')
    setInterval(() => {}, 1000)`
  const holder = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--expose-gc', '--input-type=module', '-e', program],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  onTestFinished(() => {
    holder.kill('SIGKILL')
  })
  await once(holder.stdout, 'data')
  expect(() => lockFolder(dataDir)).toThrow(FolderInUse)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockFolder(dataDir)()
})

test('a data folder with a long path works', async () => {
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
})

test('a restart finds all acknowledged data after a clean stop and after kill -9', async () => {
  const compiled = join(dataDir, 'compiled')
  const body = (email: string) =>
    JSON.stringify({ first_name: 'A', last_name: 'B', email, password: 'a-good-password-1' })
  const json = { 'content-type': 'application/json' }
  for (const [email, stop] of [
    ['clean@test.plinth.example', 'stop'],
    ['killed@test.plinth.example', 'kill'],
  ] as const) {
    expect(
      (await fetch(`${server.url}/api/account`, { method: 'POST', headers: json, body: body(email) })).status,
    ).toBe(200)
    await server[stop]()
    server = await startServer({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: compiled })
    const again = await fetch(`${server.url}/api/auth`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email, password: 'a-good-password-1' }),
    })
    expect(again.status, email).toBe(200)
  }
  // None that has this folder ended well.
  expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(100)
}, 90_000)
