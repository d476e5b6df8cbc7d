import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const sources = join(import.meta.dirname, '..')
const namespaces = readdirSync(join(sources, 'locales/en')).map(name => name.replace('.json', ''))

const codeFiles = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  name => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name),
)
const read = (name: string) => readFileSync(join(sources, name), 'utf8')

/** Every `view(() => import(file), [namespaces])` in the sources. */
const views = codeFiles.flatMap(name =>
  [...read(name).matchAll(/[^\w`]view\(\s*\(\) => import\('([^']+)'\)[^,]*,?\s*(?:\[([^\]]*)\])?/g)].map(
    ([, file = '', names = '']) => ({
      screen: relative(sources, join(sources, dirname(name), file)),
      texts: [...names.matchAll(/'(\w+)'/g)].map(([, namespace = '']) => namespace),
    }),
  ),
)

/** The file and its static imports. Dynamic imports have their own view and texts. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(join(sources, file))) return seen
  seen.add(file)
  for (const [, path = ''] of read(file).matchAll(/^(?:import|export) (?!type )[^']*?'(\.[^']+\.tsx?)'/gm))
    withImports(relative(sources, join(sources, dirname(file), path)), seen)
  return seen
}

const keysIn = (file: string) =>
  [...read(file).matchAll(/\bt\(\s*['"`]([a-z][a-z0-9_]*)\./g)]
    .map(([, namespace = '']) => namespace)
    .filter(namespace => namespace !== 'global' && namespaces.includes(namespace))

test('finds every view', () => expect(views.length).toBeGreaterThan(30))

test.each(views)('$screen loads all texts that it can show', ({ screen, texts }) => {
  const missing = [...withImports(screen)].flatMap(file =>
    keysIn(file)
      .filter(namespace => !texts.includes(namespace))
      .map(namespace => `${namespace}: ${file}`),
  )
  expect([...new Set(missing)]).toEqual([])
})
