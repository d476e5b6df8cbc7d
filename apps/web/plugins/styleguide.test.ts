import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { routeOf } from '../src/app/routes.ts'
import { styleguide } from './styleguide.ts'

const web = join(import.meta.dirname, '..')

/** What the development server looks for when it is asked for an address. */
function served(address: string): string | undefined {
  const request = { url: address }
  const use = (handle: (request: object, response: object, next: () => void) => void) =>
    handle(request, {}, () => undefined)
  const { configureServer } = styleguide()
  if (typeof configureServer !== 'function') throw new Error('The plugin sets up no server')
  configureServer.call({} as never, { middlewares: { use } } as never) // as: it touches nothing else
  return request.url
}

test('[dev:sheet] the development server shows the sheet at /dev/ui and nowhere else', () => {
  expect(styleguide().apply).toBe('serve')
  expect(served('/dev/ui')).toBe('/src/ui/styleguide/index.html')
  expect(served('/dev/ui/?screen=auth')).toBe('/src/ui/styleguide/index.html?screen=auth')
  expect(served('/dev/uix')).toBe('/dev/uix')
  expect(served('/account')).toBe('/account')
})

/** Every file of ours that can be reached from a page, by whatever import, named from the app's folder. */
function reached(page: string): string[] {
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

test('[dev:sheet] nothing of it is in the product: no import leads there, and no route', () => {
  const files = reached('index.html')
  expect(files).toContain('src/app/routes.ts')
  expect(files).toContain('src/features/team/UsersScreen.tsx')
  expect(files.filter(file => file.startsWith('src/ui/styleguide/'))).toEqual([])
  expect(routeOf('/dev/ui')).toBeUndefined()
})

test('[dev:sheet] every part and every kind of input is on it', () => {
  const shown = new Set(reached('src/ui/styleguide/index.html'))
  const parts = ['src/ui', 'src/lib/form', 'src/lib/inputs', 'src/lib/step-up'].flatMap(folder =>
    readdirSync(join(web, folder), { recursive: true, encoding: 'utf8' }).map(name => `${folder}/${name}`),
  )
  const missing = parts.filter(file => /(?<!\.test)\.tsx$/.test(file) && !shown.has(file))
  expect(missing).toEqual([])
})
