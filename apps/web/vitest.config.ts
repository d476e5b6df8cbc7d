import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { endpoints } from './plugins/endpoints.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [endpoints(), react()],
  test: {
    environment: 'jsdom',
    // A worker makes its jsdom once and gives each file a global of its own: half the work of a new one for each.
    pool: 'vmThreads',
    // A guard against hanging, not a measure: a busy machine takes its time.
    testTimeout: 20_000,
    globals: true,
    css: false,
    restoreMocks: true,
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'plugins/**/*.test.ts'],
  },
})
