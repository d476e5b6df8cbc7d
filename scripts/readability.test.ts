import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { phrasesOf } from './indirect-phrases.ts'
import { measure } from './readability.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plinth-readability-'))
  mkdirSync(join(root, 'scripts'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const lines = (name: string, count: number) => writeFileSync(join(root, 'scripts', name), 'x\n'.repeat(count))

test('350 lines pass, 351 do not, and generated files are not counted', () => {
  lines('fits.ts', 350)
  lines('long.tsx', 351)
  lines('schema.generated.ts', 2000)
  expect(measure(root).longFiles).toEqual([{ path: 'scripts/long.tsx', lines: 351 }])
})

test('32 code files in a folder pass, 33 do not; tests are not counted', () => {
  for (let file = 1; file <= 32; file++) lines(`file${file}.ts`, 1)
  lines('file1.test.ts', 1)
  expect(measure(root, ['scripts']).fullFolders).toEqual([])
  lines('file33.ts', 1)
  expect(measure(root, ['scripts']).fullFolders).toEqual([{ path: 'scripts', files: 33 }])
})

test('measuring nothing is an error', () => {
  expect(() => measure(root)).toThrow('nothing was measured')
})

test.each([
  ['a.ts', "// Whoever asks is told.\nconst door = 'whoever'", ['Whoever', 'is told']],
  ['a.ts', '/**\n * A call, meanwhile.\n */\nconst url = `https://a.example/door`', ['meanwhile']],
  ['a.sql', 'select 1 -- what is left stands here', ['what is', 'stands']],
  ['a.test.ts', "test('nobody is let in [call:door]', () => {})", ['nobody']],
  ['a.ts', "test('nobody is let in', () => {})", []],
])('indirect phrases of %s: %s', (path, text, phrases) => {
  expect(phrasesOf({ path, text }).map(({ phrase }) => phrase)).toEqual(phrases)
})

test('the rate counts phrases in 1,000 words of comments', () => {
  writeFileSync(join(root, 'scripts', 'a.ts'), `// ${'word '.repeat(499)}nobody\n`)
  expect(measure(root, ['scripts']).areas).toEqual([{ path: 'scripts', words: 500, rate: 2 }])
})
