import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    // What a file needs is its sandbox's, which ends with it; that its answers' judge is compiled is all it leaves.
    isolate: false,
  },
})
