import { defineConfig } from 'vitest/config'

// CI and scripts/test.ts call a forgotten .only a failure; at the keyboard it is a tool.
const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

/** An app's own vitest.config.ts, under the name by which scripts/test.ts calls it. */
const app = (name: string) => ({
  extends: `./apps/${name}/vitest.config.ts`,
  root: `./apps/${name}`,
  test: { name },
})

export default defineConfig({
  test: {
    allowOnly: !strict,
    passWithNoTests: false,
    maxWorkers: 2,
    projects: [
      { test: { name: 'contract', root: './packages/contract', include: ['{src,test}/**/*.test.ts'] } },
      app('server'),
      app('web'),
      app('sandbox'),
      { test: { name: 'tooling', include: ['{scripts,bench}/**/*.test.ts'], testTimeout: 60_000 } },
    ],
  },
})
