import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chartFamilies } from './plugins/chart-families.ts'
import { compress } from './plugins/compress.ts'
import { endpoints } from './plugins/endpoints.ts'

/**
 * Two chunks in place of dozens of crumbs: what every page stands on, and what every form does. Fewer requests, and
 * text compresses better together. Sizes of the sign-in page: bench/.
 */
const FORM = [
  /node_modules\/react-hook-form\//,
  /\/src\/lib\/form\/(Form|FormField|inputs|rules|submit|draft|types)\.tsx?$/,
  /\/src\/ui\/PasswordInput\.tsx$/,
  /\/contract\/src\/patterns\.ts$/,
  /\/icons\/eye(-off)?\.mjs$/,
]
const BASE = [
  /node_modules\/(react|react-dom|scheduler|wouter|use-sync-external-store)\//,
  /virtual:endpoints|vite\/preload-helper/,
  /\/src\/lib\/(?!form\/|api\/query|dialog|slots|i18n\/format)/,
  /\/src\/ui\/(Button|button-class|Icon|Link|Mark|Spinner|Skeleton|Auth|Toasts|toast|Field|Input|field-context)\.tsx?$/,
  /\/contract\/src\/(access|roles)\.ts$/,
  /\/lucide-react\/dist\/esm\/(?!icons\/)/,
  /\/icons\/(check|x|loader-circle)\.mjs$/,
]
const among = (list: RegExp[]) => (id: string) => list.some(one => one.test(id))

const API = process.env.PLINTH_API ?? 'http://127.0.0.1:5000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [endpoints(), chartFamilies(), react(), tailwindcss(), compress()],
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
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'form', test: among(FORM), priority: 2 },
            { name: 'base', test: among(BASE), priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/live', '/ready'].map(path => [path, API])),
  },
})
