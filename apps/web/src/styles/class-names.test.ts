import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
const textOf = (pattern: string) =>
  globSync(pattern, { cwd: src, exclude: name => name.includes('.test.') }).map(file => ({
    file,
    text: readFileSync(join(src, file), 'utf8'),
  }))

const code = textOf('**/*.{ts,tsx}')
  .map(({ text }) => text)
  .join('\n')
const words = new Set(code.match(/-?[A-Za-z_][\w-]*/g))
/** Also what a template makes, as in `btn--${variant}`. */
const isUsed = (name: string) =>
  words.has(name) ||
  [...name.matchAll(/--?|\d/g)].some(({ index, 0: cut }) =>
    code.includes(`${name.slice(0, cut.startsWith('-') ? index + cut.length : index)}\${`),
  )

test('every class that a style sheet names is used by a component', () => {
  const unused = textOf('**/*.css').flatMap(({ file, text }) =>
    [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)]
      .filter(([, selector = '']) => !selector.trim().startsWith('@'))
      .flatMap(([, selector = '']) => selector.match(/\.-?[A-Za-z_][\w-]*/g) ?? [])
      .filter(name => !isUsed(name.slice(1)))
      .map(name => `${file} ${name}`),
  )
  expect([...new Set(unused)]).toEqual([])
})
