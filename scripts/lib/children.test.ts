import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a program starts from any folder, also one with spaces and special characters in its path', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'plinth-children-'))
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  const folder = join(temporary, 'Our product, 100%20 ü#1')
  mkdirSync(folder)
  for (const file of ['children.ts', 'end-with-parent.ts'])
    cpSync(join(import.meta.dirname, file), join(folder, file))
  writeFileSync(join(folder, 'child.mjs'), `console.log('started')`)
  const parent = `
    import { startChild } from './children.ts'
    const { code } = await startChild('The child', ['child.mjs']).exited
    console.log('ended with ' + code)`
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript']
  const said = execFileSync(process.execPath, [...flags, '-e', parent], { cwd: folder, encoding: 'utf8' })
  expect(said).toBe('started\nended with 0\n')
})
