import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // each file spawns its own sandbox; two at a time is what a small machine carries
    maxWorkers: 2,
    // What a file needs is its sandbox's; it leaves nothing in its own process.
    isolate: false,
  },
})
