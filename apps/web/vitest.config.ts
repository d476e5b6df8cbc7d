import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { endpoints } from './plugins/endpoints.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [endpoints(), react()],
  test: {
    environment: 'jsdom',
    globals: true,
    css: false,
    restoreMocks: true,
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'plugins/**/*.test.ts'],
  },
})
