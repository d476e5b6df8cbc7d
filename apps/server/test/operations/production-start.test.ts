import { expect, inject, test } from 'vitest'
import { productionEnv } from '../harness/production-env.ts'
import { createDataFolder, startServer } from '../harness/server-process.ts'

test('a production start without settings lists what is missing on stderr, without a stack', async () => {
  const server = await startServer(
    { NODE_ENV: 'production', RATE_LIMIT_FACTOR: '1', DATABASE_URL: '' },
    { expectReady: false },
  )
  expect(await server.exited).toBe(1)
  expect(server.output()).toBe('')
  for (const name of Object.keys(productionEnv).filter(name => name !== 'NODE_ENV'))
    expect(server.errors()).toContain(`\n${name}: expected`)
  expect(server.errors()).not.toMatch(/^\s+at /m)
})

test('in production stdout holds JSON lines alone', async () => {
  const sandbox = `http://127.0.0.1:${inject('sandbox').port}`
  const server = await startServer({
    ...productionEnv,
    RATE_LIMIT_FACTOR: '1',
    LOG_LEVEL: 'info',
    DATA_DIR: await createDataFolder(),
    PUBLIC_URL: 'http://localhost:5000',
    DATABASE_URL: '',
    EMBEDDED_DATABASE: '1',
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
    STRIPE_API_BASE: sandbox,
  })
  await server.kill()
  const lines = server.output().trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'Plinth is ready', url: 'http://localhost:5000', role: 'all' }),
  )
})
