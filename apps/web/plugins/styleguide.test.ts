import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { routeOf } from '../src/app/routes.ts'
import { styleguide } from './styleguide.ts'

const web = join(import.meta.dirname, '..')

/** The path that the development server resolves for a URL. */
function resolvedPath(address: string): string | undefined {
  const request = { url: address }
  const use = (handle: (request: object, response: object, next: () => void) => void) =>
    handle(request, {}, () => undefined)
  const { configureServer } = styleguide()
  if (typeof configureServer !== 'function') throw new Error('The plugin sets up no server')
  configureServer.call({} as never, { middlewares: { use } } as never) // as: it uses nothing else
  return request.url
}

test('[dev:sheet] the development server serves the style guide at /dev/ui only', () => {
  expect(styleguide().apply).toBe('serve')
  expect(resolvedPath('/dev/ui')).toBe('/src/ui/styleguide/index.html')
  expect(resolvedPath('/dev/ui/?screen=auth')).toBe('/src/ui/styleguide/index.html?screen=auth')
  expect(resolvedPath('/dev/uix')).toBe('/dev/uix')
  expect(resolvedPath('/account')).toBe('/account')
})

/** All source files that a page imports, directly or indirectly, relative to the app's folder. */
function importedFiles(page: string): string[] {
  const entry = /src="\/(src\/[^"]+\.tsx)"/.exec(readFileSync(join(web, page), 'utf8'))?.[1]
  if (!entry) throw new Error('The page names no script')
  const found = new Set<string>()
  const follow = (file: string): void => {
    if (found.has(file) || !existsSync(file) || !statSync(file).isFile()) return
    found.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      follow(join(dirname(file), name))
    }
  }
  follow(join(web, entry))
  return [...found].map(file => file.slice(web.length + 1))
}

test('[dev:sheet] the product contains no part of the style guide: no import and no route', () => {
  const files = importedFiles('index.html')
  expect(files).toContain('src/app/routes.ts')
  expect(files).toContain('src/features/team/UsersScreen.tsx')
  expect(files.filter(file => file.startsWith('src/ui/styleguide/'))).toEqual([])
  expect(routeOf('/dev/ui')).toBeUndefined()
})

test('[dev:sheet] shows every component and every kind of input', () => {
  const shown = new Set(importedFiles('src/ui/styleguide/index.html'))
  const parts = ['src/ui', 'src/lib/form', 'src/lib/inputs', 'src/lib/step-up'].flatMap(folder =>
    readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  )
  const missing = parts.filter(file => /(?<!\.test)\.tsx$/.test(file) && !shown.has(file))
  expect(missing).toEqual([])
})
