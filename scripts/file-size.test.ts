import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tooLong } from './file-size.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plinth-sizes-'))
  mkdirSync(join(root, 'scripts'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const lines = (name: string, count: number) => writeFileSync(join(root, 'scripts', name), 'x\n'.repeat(count))

test('350 lines pass, 351 do not, and generated files are not counted', () => {
  lines('fits.ts', 350)
  lines('long.tsx', 351)
  lines('schema.generated.ts', 2000)
  expect(tooLong(root)).toEqual([{ path: 'scripts/long.tsx', lines: 351 }])
})

test('measuring nothing is an error', () => {
  expect(() => tooLong(root)).toThrow('nothing was measured')
})
