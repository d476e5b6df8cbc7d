import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bareReactPage, measurePages } from './page-size.ts'

const routes = readFileSync(join(import.meta.dirname, '../apps/web/src/app/routes.ts'), 'utf8')

/** How many times the bytes of the smallest React page each page may load. */
const BUDGETS = new Map([
  ['login', 2],
  ['dashboard', 3.22],
])
const MOST_ELSEWHERE = 3

test('no page loads more than its budget', { timeout: 300_000 }, async () => {
  const bare = await bareReactPage()
  const pages = await measurePages()
  for (const { path, bytes, files } of pages)
    console.log(path, bytes, `${(bytes / bare).toFixed(2)}x`, files.map(({ name }) => name).join(' '))
  expect(pages).toHaveLength(routes.match(/path: paths\.\w+,\s*layout:/g)?.length ?? 0)
  const over = pages.filter(({ path, bytes }) => bytes / bare > (BUDGETS.get(path) ?? MOST_ELSEWHERE))
  expect(over.map(({ path }) => path)).toEqual([])
})

test('the first style sheet of a page declares the order of the layers', { timeout: 300_000 }, async () => {
  await measurePages()
  const dist = join(import.meta.dirname, '../apps/web/dist')
  const first = /rel="stylesheet"[^>]*href="\/([^"]+)"/.exec(
    readFileSync(join(dist, 'index.html'), 'utf8'),
  )?.[1]
  const layers = readFileSync(join(dist, first ?? ''), 'utf8').matchAll(/@layer (\w+)\{/g)
  // Later layers win: a sheet that began with the components would put them below the base styles.
  expect([...new Set([...layers].map(([, name]) => name))]).toEqual([
    'properties',
    'theme',
    'base',
    'components',
    'utilities',
  ])
})
