import { evilHost, redirectAttacks } from '@plinth/contract/test/redirect-attacks'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshBrowser } from '../../../test/app.tsx'
import { tab } from '../storage.ts'
import { rememberReturnTo, takeReturnTo } from './return-to.ts'

beforeEach(freshBrowser)

test.each(['/dashboard', '/account/users?search=%5Cm%C3%A4%2F%2F&page=2', '/signup/user?id=a_b-c'])(
  'the way back is the address it was, once: %s',
  at => {
    window.history.replaceState(null, '', at)
    rememberReturnTo('mara')
    expect(takeReturnTo('mara')).toBe(at)
    expect(takeReturnTo('mara')).toBeNull()
  },
)

describe('[T-75] nothing that was written in its place leads away', () => {
  const corpus = redirectAttacks(window.location.host)
  const taken = (line: string) => {
    tab.write('back', line)
    return takeReturnTo('mara')
  }

  test('what is left is a path of ours to the letter', () => {
    const left = corpus.filter(line => taken(line) !== null)
    for (const line of left) {
      const link = document.createElement('a')
      link.href = line
      expect(link.origin).toBe(window.location.origin)
      // Taken apart and put together again it would be another's.
      expect(link.pathname).not.toMatch(/^\/[/\\]/)
    }
    expect(left).toEqual([
      `/%0d%0aLocation:%20https://${evilHost}`,
      `/%2f${evilHost}`,
      `/%5c${evilHost}`,
      `/%252f${evilHost}`,
      `/%09/${evilHost}`,
      `/%00/${evilHost}`,
      `/%c0%af${evilHost}`,
      '/',
    ])
  })
})
