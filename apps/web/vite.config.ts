import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chartFamilies } from './plugins/chart-families.ts'
import { chunkList } from './plugins/chunk-list.ts'
import { compress } from './plugins/compress.ts'
import { endpoints } from './plugins/endpoints.ts'
import { noCircles } from './plugins/no-circles.ts'
import { signInPreloads } from './plugins/sign-in-preloads.ts'
import { styleguide } from './plugins/styleguide.ts'

/**
 * Which folders share a chunk. Each group takes what its folders import as well, unless a group above has it.
 * Everything else is placed by the bundler: beside the screen that uses it, or in a chunk for the screens that share it.
 * `npm run page-size` prints what each page loads.
 */
const CHUNKS = [
  // What every page needs.
  { name: 'base', test: /\/src\/(main\.tsx$|styles\/|ui\/base\/|lib\/([^/]+|(api|i18n|session)\/[^/]+)$)/ },
  { name: 'form', test: /\/src\/lib\/form\/|node_modules\/react-hook-form\// },
  // Icons are too small for a chunk each, and in one chunk every page would load them all.
  {
    name: 'icons',
    test: /node_modules\/lucide-react\/dist\/esm\/icons\//,
    entriesAware: true,
    entriesAwareMergeThreshold: 6000,
  },
  { name: 'signed-in', test: /\/src\/(app\/layouts|lib\/data|ui\/table)\/|node_modules\/@tanstack\// },
]

const API = process.env.PLINTH_API ?? 'http://127.0.0.1:5000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    endpoints(),
    chartFamilies(),
    react(),
    tailwindcss(),
    signInPreloads(),
    noCircles(),
    chunkList(),
    compress(),
    styleguide(),
  ],
  build: {
    target: 'baseline-widely-available',
    outDir: 'dist',
    assetsInlineLimit: 0,
    sourcemap: false,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
    reportCompressedSize: false,
    rolldownOptions: {
      // No module that we use does anything when a property of it is read; so what only reads one can be left out.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // A chunk of icons is named after all its screens otherwise.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: CHUNKS.map((chunk, index) => ({ ...chunk, priority: CHUNKS.length - index })),
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/auth', '/live', '/ready'].map(path => [path, API])),
  },
})
