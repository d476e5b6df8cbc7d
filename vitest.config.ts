import { defineConfig } from 'vitest/config'

// CI and scripts/test.ts call a forgotten .only a failure; at the keyboard it is a tool.
const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

// A project does not inherit it, and vitest's own choice for two cores is one worker.
const maxWorkers = 2
// The server's tests wait for mail, clocks and processes about as long as they work.
const serverWorkers = 3

/** An app's own vitest.config.ts, under the name by which scripts/test.ts calls it. */
const app = (name: string, workers = maxWorkers) => ({
  extends: `./apps/${name}/vitest.config.ts`,
  root: `./apps/${name}`,
  test: { name, maxWorkers: workers },
})

export default defineConfig({
  test: {
    allowOnly: !strict,
    passWithNoTests: false,
    maxWorkers,
    projects: [
      {
        test: {
          name: 'contract',
          maxWorkers,
          root: './packages/contract',
          include: ['{src,test}/**/*.test.ts'],
        },
      },
      app('server', serverWorkers),
      app('web'),
      app('sandbox'),
      {
        test: { name: 'tooling', maxWorkers, include: ['{scripts,bench}/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
})
