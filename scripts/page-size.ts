import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { buildWeb, webBuildIsCurrent } from './lib/web-build.ts'

/**
 * `npm run page-size` prints which chunks each page loads and their bytes, compressed with brotli as the server sends
 * them. A page loads the entry, its layout, its screen, its English texts, and the code that it fetches at once.
 */
type ChunkEntry = { file: string; modules: string[]; imports: string[]; styles: string[] }
export type PageSize = { path: string; bytes: number; files: { name: string; bytes: number }[] }

const root = join(import.meta.dirname, '..')
const dist = join(root, 'apps/web/dist')

/** Modules that are fetched when a page opens and that no import names: by layout, and by path. */
const layouts: Record<string, string[]> = {
  auth: [],
  app: ['src/app/layouts/AppLayout.tsx', 'src/app/palette/Keys.tsx', 'src/locales/en/account.json'],
  onboarding: [
    'src/app/layouts/OnboardingLayout.tsx',
    'src/app/palette/Keys.tsx',
    'src/locales/en/account.json',
  ],
}
const fetched: Record<string, string[]> = {
  dashboard: ['src/ui/chart/ChartLines.tsx', 'src/ui/overlay/Toaster.tsx'],
}

/** The rows of app/routes.ts. It is read as text, since the screens need a browser. */
function readRoutes(): { path: string; layout: string; screen: string; texts: string[] }[] {
  const source = readFileSync(join(root, 'apps/web/src/app/routes.ts'), 'utf8')
  const view = String.raw`view\(\s*\(\) =>\s*import\('(?<screen>[^']+)'\)\.then\([^)]*\)(?:,\s*\[(?<texts>[^\]]*)\])?`
  const viewOf = (row: string) => {
    const named = /view: (\w+),?\s*\}/.exec(row)?.[1]
    return new RegExp(named ? `const ${named} = ${view}` : `view: ${view}`).exec(named ? source : row)?.groups
  }
  const rows = source.split(/(?=path: paths\.)/).slice(1)
  return rows.flatMap(row => {
    const [, path = ''] = /^path: paths\.(\w+)/.exec(row) ?? []
    const [, layout = ''] = /layout: '(\w+)'/.exec(row) ?? []
    const { screen, texts } = viewOf(row) ?? {}
    // A row that copies another one names no layout.
    if (!screen || !layout) return []
    const module = join('src/app', screen)
    return [
      {
        path,
        layout: layout === 'account' ? 'app' : layout,
        screen: module,
        texts: texts?.match(/\w+/g) ?? [],
      },
    ]
  })
}

/** What each page loads. Builds the web app when its build is not current. */
export async function measurePages(): Promise<PageSize[]> {
  if (!webBuildIsCurrent(root)) await buildWeb(root)
  const chunks = JSON.parse(readFileSync(join(dist, '.chunks.json'), 'utf8')) as ChunkEntry[] // as: the build wrote it
  const chunkOf = (module: string) => {
    const chunk = chunks.find(({ modules }) => modules.some(id => id.replace(/\?.*/, '') === module))
    if (!chunk) throw new Error(`No chunk of the build contains ${module}`)
    return chunk.file
  }
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const fromPage = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  )
  return readRoutes().map(({ path, layout, screen, texts }) => {
    const modules = [
      'src/locales/en/global.json',
      ...texts.map(name => `src/locales/en/${name}.json`),
      ...(layouts[layout] ?? []),
      screen,
      ...(fetched[path] ?? []),
    ]
    const files = new Set([...fromPage, ...modules.map(chunkOf)])
    for (const file of files) {
      const chunk = chunks.find(one => one.file === file)
      for (const next of [...(chunk?.imports ?? []), ...(chunk?.styles ?? [])]) files.add(next)
    }
    const sizes = [...files].map(name => ({ name, bytes: sentBytes(name) }))
    return { path, bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0), files: sizes }
  })
}

const sentBytes = (file: string) => {
  const packed = join(dist, `${file}.br`)
  return existsSync(packed) ? statSync(packed).size : 0
}

/** The smallest page of React that Vite builds, in bytes: the unit of the budgets. */
export async function bareReactPage(): Promise<number> {
  const built = await build({
    configFile: false,
    root: join(root, 'bench/floor/page'),
    logLevel: 'error',
    build: { write: false, target: 'baseline-widely-available', modulePreload: { polyfill: false } },
  })
  const { output } = built as Rolldown.RolldownOutput // as: one output, and no watcher
  return output
    .filter(file => /\.(js|css)$/.test(file.fileName))
    .reduce(
      (sum, file) => sum + brotliCompressSync(file.type === 'chunk' ? file.code : file.source).length,
      0,
    )
}

if (import.meta.main) {
  const bare = await bareReactPage()
  for (const { path, bytes, files } of await measurePages()) {
    console.log(
      `${path}: ${bytes} bytes in ${files.length} files, ${(bytes / bare).toFixed(2)} times the bare React page`,
    )
    for (const file of files) console.log(`  ${String(file.bytes).padStart(6)} ${file.name}`)
  }
}
