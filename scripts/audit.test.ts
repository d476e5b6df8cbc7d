import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openFindings } from './audit.ts'

const advisory = {
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  title: 'Request smuggling',
  severity: 'high',
  name: 'left',
}
/** As npm reports it: the package with the hole, and one that depends on it. */
const report = { vulnerabilities: { left: { via: [advisory] }, right: { via: ['left', advisory] } } }
const accepted = (until: string) => [{ advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'not reachable', until }]

test('a known vulnerability is one finding [V15.2.1]', () => {
  expect(openFindings(report, [], '2026-11-25')).toEqual([
    'high left: Request smuggling https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  ])
  expect(openFindings({ vulnerabilities: {} }, [], '2026-11-25')).toEqual([])
})

test('an exception counts through its last day', () => {
  expect(openFindings(report, accepted('2026-11-25'), '2026-11-25')).toEqual([])
  expect(openFindings(report, accepted('2026-11-24'), '2026-11-25')).toHaveLength(1)
})

test('an answer without findings data is no answer', () => {
  expect(openFindings({}, [], '2026-11-25')).toBeNull()
})

test('every exception has a reason and an end date', () => {
  const file = new URL('audit-exceptions.json', import.meta.url)
  for (const exception of JSON.parse(readFileSync(file, 'utf8')))
    expect(exception).toEqual({
      advisory: expect.stringMatching(/^GHSA(-\w{4}){3}$/),
      reason: expect.stringMatching(/.{10}/),
      until: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    })
})
