import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // Each file starts its own sandbox. Files share only the compiled response schemas, which saves time.
    isolate: false,
  },
})
