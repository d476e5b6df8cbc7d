import { evilHost, redirectAttacks } from '@plinth/contract/test/redirect-attacks'
import { beforeEach, describe, expect, test } from 'vitest'
import { freshBrowser } from '../../../test/app.tsx'
import { tab } from '../storage.ts'
import { rememberReturnTo, takeReturnTo } from './return-to.ts'

beforeEach(freshBrowser)

test.each(['/dashboard', '/account/users?search=%5Cm%C3%A4%2F%2F&page=2', '/signup/user?id=a_b-c'])(
  'returns the remembered path once: %s',
  at => {
    window.history.replaceState(null, '', at)
    rememberReturnTo('mara')
    expect(takeReturnTo('mara')).toBe(at)
    expect(takeReturnTo('mara')).toBeNull()
  },
)

describe('[T-75] a manipulated return path never leads to another site', () => {
  const corpus = redirectAttacks(window.location.host)
  const taken = (line: string) => {
    tab.write('back', line)
    return takeReturnTo('mara')
  }

  test('only exact paths of this site remain', () => {
    const left = corpus.filter(line => taken(line) !== null)
    for (const line of left) {
      const link = document.createElement('a')
      link.href = line
      expect(link.origin).toBe(window.location.origin)
      // Code that joins the parts again must not get another host.
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
