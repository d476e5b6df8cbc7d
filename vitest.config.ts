import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// CI and scripts/test.ts call a forgotten .only a failure; at the keyboard it is a tool.
const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

export default defineConfig({
  test: {
    allowOnly: !strict,
    passWithNoTests: false,
    maxWorkers: 2,
    projects: [
      { test: { name: 'contract', root: './packages/contract', include: ['{src,test}/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          root: './apps/server',
          include: ['{src,test}/**/*.test.{ts,tsx}'],
          // Each file opens a database of its own, and the first embedded one on a busy machine takes seconds.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        test: {
          name: 'web',
          root: './apps/web',
          environment: 'jsdom',
          include: ['{src,test,plugins}/**/*.test.{ts,tsx}'],
          setupFiles: [join(import.meta.dirname, 'apps/web/test/setup.ts')],
          testTimeout: 15_000,
        },
      },
      {
        test: {
          name: 'sandbox',
          root: './apps/sandbox',
          include: ['{src,test}/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'tooling',
          root: '.',
          include: ['{scripts,bench}/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
