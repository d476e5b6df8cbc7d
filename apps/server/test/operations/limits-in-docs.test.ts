import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lifetimes } from '../../src/identity/session-lifetimes.ts'
import {
  globalLoginLimit,
  gracePauseSeconds,
  loginLimits,
  longestPauseSeconds,
  rateLimits,
  warnOwnerAfter,
} from '../../src/rate-limit/limits.ts'

const text = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')

const whose: Record<string, string> = {
  network: 'a network',
  address: 'a mailbox',
  user: 'a user',
  all: 'all users together',
  key: 'an API key',
  address_network: 'a mailbox, from one network',
  address_browser: 'a mailbox, with a browser that its owner uses',
}
const subjectOf = (name: string) => whose[name.split(':')[1] ?? ''] ?? name

test('docs/operations.md has every limit with its numbers [V6.1.1]', () => {
  const rows = [
    ...Object.entries(rateLimits).map(
      ([name, { points, seconds }]) => `| \`${name}\` | ${subjectOf(name)} | ${points} in ${seconds} s |`,
    ),
    ...Object.entries(loginLimits).map(
      ([name, { free, freeUnderAttack, seconds }]) =>
        `| \`${name}\` | ${subjectOf(name)} | ${free} (${freeUnderAttack}) in ${seconds} s |`,
    ),
  ]
  expect(rows.filter(row => !text.includes(row))).toEqual([])
  expect(text.match(/^\| `\w+:\w+` \|/gm)).toHaveLength(rows.length)
  expect(text).toContain(`more than ${globalLoginLimit.failures} times in ${globalLoginLimit.seconds} s`)
  expect(text).toContain(`up to ${longestPauseSeconds / 60} minutes`)
  expect(text).toContain(`at most ${gracePauseSeconds} s`)
  expect(text).toContain(`After ${warnOwnerAfter} failures`)
})

test('docs/operations.md has the lifetimes of sessions [V7.1.1]', () => {
  const { user, master } = lifetimes
  expect(text).toContain(
    `a user's ${user.idle / 86_400} days without a call and ${user.absolute / 86_400} days in all; ` +
      `a master's ${master.idle / 60} minutes and ${master.absolute / 3600} hours`,
  )
})
