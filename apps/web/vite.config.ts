import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chartFamilies } from './plugins/chart-families.ts'
import { compress } from './plugins/compress.ts'
import { endpoints } from './plugins/endpoints.ts'
import { noCircles } from './plugins/no-circles.ts'
import { signInPreloads } from './plugins/sign-in-preloads.ts'
import { styleguide } from './plugins/styleguide.ts'

/**
 * A few chunks in place of dozens of crumbs: what every page stands on, what every form does, and what every page of
 * someone signed in shows. Fewer requests, and text compresses better together. Sizes of the pages: bench/.
 */
const FORM = [
  /node_modules\/react-hook-form\//,
  /\/src\/lib\/form\/(Form|FormField|Restored|changes|draft|filled|inputs|proof-for|rules|submit|types)\.tsx?$/,
  /\/src\/ui\/form\/PasswordInput\.tsx$/,
  /\/icons\/eye(-off)?\.mjs$/,
  // What the ways in share: small pieces, each of which would be a request.
  /\/src\/features\/social\/(Brand|SocialButtons|leave|providers)\.tsx?$/,
  /\/src\/features\/auth\/typed-address\.ts$/,
  /\/icons\/mail\.mjs$/,
]
const BASE = [
  // The entry, too: a chunk of its own would be one request more, for a file that only imports this one.
  /\/src\/main\.tsx$/,
  /node_modules\/(react|react-dom|scheduler|wouter|use-sync-external-store)\//,
  /virtual:endpoints|vite\/preload-helper/,
  /\/src\/lib\/(?!form\/|api\/query|dialog|slots|passkey-(ceremony|make)|proven|save-file|i18n\/format|session\/(account-line|save-preferences|sign-out))/,
  /\/src\/app\/(App|AppLink|Arrival|ErrorBoundary|Over|Page|SkipLink|arrive|card-document|check-before-redirect|guard|prefetch|routes|stale|use-late|view)\.tsx?$/,
  /\/src\/app\/layouts\/(AuthLayout|views)\.tsx?$/,
  /\/src\/lib\/(dialog|slots)\.tsx?$/,
  /\/src\/ui\/\w+\/(Button|TextSpan|button-class|is-composing|Icon|Link|NotFoundPanel|Logo|PageProgress|Spinner|Skeleton|AuthLayout|Toasts|toast|Field|Input|field-context)\.tsx?$/,
  /\/src\/features\/settings\/settings\.ts$/,
  /\/contract\/src\/(access|card-pages|email|paths|patterns|roles|text)\.ts$/,
  /node_modules\/punycode\//,
  /\/lucide-react\/dist\/esm\/(?!icons\/)/,
  /\/icons\/(check|x|loader-circle|building-complex|key-round|lock|user-round-key)\.mjs$/,
]
const SIGNED_IN = [
  /\/src\/app\/(navigation|layouts\/(AppLayout|Banner|Feedback|feedback-open|Jump|UserMenu|SignedInUser|account-name|switch-account))\.tsx?$/,
  /\/src\/ui\/\w+\/(AppShell|AccountShell|HeartButton|NavEntry|nav-groups|Drawer|use-modal|portal|TopBar|Menu|Avatar|Card|Badge|EmptyState)\.tsx?$/,
  /\/src\/ui\/\w+\/(Dialog|DescriptionList|Truncate|Pagination|SearchBox|Section|SelectionBar|Table|TableHead|TableRow|TableSkeleton|TableSort|Inset|PersonCell|trend|restore-focus|column-class|table-view|use-row-focus)\.tsx?$/,
  /\/src\/ui\/\w+\/(Checkbox|Select|Switch)\.tsx$/,
  /\/src\/lib\/save-file\.ts$/,
  /\/src\/app\/palette\/(Keys|open|view)\.tsx?$/,
  /\/src\/lib\/(api\/query|i18n\/format|session\/(account-line|save-preferences|sign-out))\.ts$/,
  /node_modules\/@tanstack\//,
  /\/src\/ui\/\w+\/(shell|drawer|feedback|kbd|avatar|badge|empty-state|dialog|card|choice|description-list|pagination|select|table|inset)\.css$/,
  /\/contract\/src\/plans\.ts$/,
  /\/icons\/(bell|circle-user-round|credit-card|layout-dashboard|heart|life-buoy|settings|shield-check|users|log-out|moon|sun|menu|search|chart-line|user-plus|chevron-(right|left|up|down)|download|plus|scroll-text|trash(-2)?|pencil|ellipsis|arrow-(down-up|up|down)|copy)\.mjs$/,
]
/** Showing a passkey, at the sign-in or as a proof: after the first page. */
const PASSKEY = [/\/src\/(lib\/passkey-ceremony|features\/passkeys\/ceremony)\.ts$/]
/** What forms have besides lines of text, for somebody signed in. */
const INPUTS = [
  /\/src\/lib\/(proven|form\/(focusable|more-inputs))\.tsx?$/,
  /\/src\/ui\/form\/TextArea\.tsx$/,
]
/** The second step's. */
const CODE = [/\/src\/lib\/form\/code\.tsx$/, /\/src\/ui\/form\/(CodeInput\.tsx|code-input\.css)$/]
/** Alerts and notifications, signed in or not. */
const MARKS = [
  /\/icons\/(circle-check|circle-exclamation-point|info|triangle-(alert|exclamation-point))\.mjs$/,
  /\/src\/ui\/\w+\/(Alert\.tsx|alert\.css)$/,
]
/** Notifications, and what menus share with them: fetched with the first touch of a page. */
const FLOATING = [
  /\/@radix-ui\/(primitive|react-(collection|dismissable-layer|slot|presence|context|primitive|portal|toast|visually-hidden|compose-refs|use-(controllable-state|effect-event|callback-ref|layout-effect)))\//,
  /\/src\/ui\/\w+\/(Toaster\.tsx|use-toast-focus\.ts|toast\.css)$/,
]
const among = (list: RegExp[]) => (id: string) => list.some(one => one.test(id))

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
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'form', test: among(FORM), priority: 2 },
            { name: 'base', test: among(BASE), priority: 1 },
            { name: 'passkey', test: among(PASSKEY), priority: 1 },
            { name: 'signed-in', test: among(SIGNED_IN), priority: 1 },
            { name: 'inputs', test: among(INPUTS), priority: 1 },
            { name: 'code', test: among(CODE), priority: 1 },
            { name: 'floating', test: among(FLOATING), priority: 1 },
            { name: 'marks', test: among(MARKS), priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/auth', '/live', '/ready'].map(path => [path, API])),
  },
})
