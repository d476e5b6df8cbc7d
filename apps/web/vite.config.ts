import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './plugins/compress.ts'
import { endpoints } from './plugins/endpoints.ts'

const API = process.env.PLINTH_API ?? 'http://127.0.0.1:5000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [endpoints(), react(), tailwindcss(), compress()],
  build: {
    target: 'baseline-widely-available',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/live', '/ready'].map(path => [path, API])),
  },
})
