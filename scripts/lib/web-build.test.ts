import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sourcesHash, webBuildIsCurrent } from './web-build.ts'

let root: string
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plinth-build-'))
  write('apps/web/src/main.tsx', 'one')
  write('apps/web/index.html', '<html>')
  write('packages/contract/src/plans.ts', 'free')
  write('package-lock.json', '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const stamp = () => {
  write('apps/web/dist/index.html', '<html>')
  write('apps/web/dist/.sources', sourcesHash(root))
}

describe('whether the web build is current', () => {
  test('without a build, or without its stamp, it is not', () => {
    expect(webBuildIsCurrent(root)).toBe(false)
    write('apps/web/dist/index.html', '<html>')
    expect(webBuildIsCurrent(root)).toBe(false)
  })

  test('a change of any source makes it stale: app, contract, lock, a new or a renamed file', () => {
    const changes: [string, string][] = [
      ['apps/web/src/main.tsx', 'two'],
      ['packages/contract/src/plans.ts', 'startup'],
      ['package-lock.json', '{ "new": 1 }'],
      ['apps/web/public/new.svg', ''],
    ]
    for (const [path, text] of changes) {
      stamp()
      expect(webBuildIsCurrent(root)).toBe(true)
      write(path, text)
      expect(webBuildIsCurrent(root), path).toBe(false)
    }
  })

  test('a changed test leaves it current', () => {
    stamp()
    write('apps/web/src/main.test.tsx', 'test')
    expect(webBuildIsCurrent(root)).toBe(true)
  })
})
