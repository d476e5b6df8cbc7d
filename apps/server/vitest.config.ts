import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

// What needs a real part runs in the suite that has it, and nowhere as skipped.
const needs = {
  '**/*.postgres.test.ts': process.env.PLINTH_TEST_DB === 'postgres',
  '**/*.pgbouncer.test.ts': process.env.TEST_PGBOUNCER_URL !== undefined,
  '**/*.redis.test.ts': process.env.PLINTH_TEST_LIMITS === 'redis',
}
const missing = Object.entries(needs)
  .filter(([, there]) => !there)
  .map(([files]) => files)

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...missing],
    globalSetup: ['test/harness/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One process runs file after file and loads the product once. So no file may replace a module (vi.mock): the
    // replacement would affect the other files.
    isolate: false,
    // Real hashes of passwords would be a third of the suite's work.
    alias: { '@node-rs/argon2': fileURLToPath(new URL('test/harness/fast-argon2.ts', import.meta.url)) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // For React, which writes the mails: its other build takes half as long again. The harness passes 'test' to the product.
    env: { NODE_ENV: 'production' },
  },
})
