import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { endpoints } from './plugins/endpoints.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [endpoints(), react()],
  test: {
    environment: 'jsdom',
    // A worker loads packages once and has one jsdom for file after file, which halves the work; our own modules are new
    // for each (test/setup.ts), and Stripe's loader, which remembers what it has loaded.
    pool: 'threads',
    isolate: false,
    server: { deps: { inline: ['@stripe/stripe-js'] } },
    // A guard against hanging, not a measure: a busy machine takes its time.
    testTimeout: 20_000,
    globals: true,
    css: false,
    restoreMocks: true,
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'plugins/**/*.test.ts'],
  },
})
