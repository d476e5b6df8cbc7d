import { describe, expect, test } from 'vitest'
import { countCheck, countPlaywright, countVitest } from './counts.ts'

const file = (name: string, ...statuses: string[]) => ({
  name: `/somewhere/${name}`,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  assertionResults: statuses.map(status => ({ status })),
})

describe('the count of a check', () => {
  test('is one, or what the check itself printed', () => {
    expect(countCheck(0, 'fine')).toMatchObject({ passed: 1, failed: 0 })
    expect(countCheck(2, 'broken')).toMatchObject({ passed: 0, failed: 1 })
    expect(countCheck(1, 'checks: 13 passed, 1 failed\n')).toMatchObject({ passed: 13, failed: 1 })
  })

  test('is never green after a bad exit', () => {
    expect(countCheck(1, 'checks: 14 passed, 0 failed')).toMatchObject({ passed: 14, failed: 1 })
  })
})

describe('the count of a Vitest run', () => {
  test('adds up files, and leaves skipped tests out', () => {
    const report = {
      testResults: [file('apps/web/a.test.ts', 'passed', 'skipped'), file('apps/web/b.test.ts', 'passed')],
    }
    expect(countVitest(report, 0, ['apps/web'])).toEqual({ passed: 2, failed: 0, skipped: 1, notes: [] })
  })

  test('a file that could not be loaded is a failure', () => {
    const report = { testResults: [file('apps/web/a.test.ts', 'passed'), file('apps/web/broken.test.ts')] }
    expect(countVitest(report, 1, ['apps/web'])).toMatchObject({ passed: 1, failed: 1 })
  })

  test('names each failed test with the path of its file', () => {
    const broken = {
      ...file('apps/web/src/a.test.ts', 'failed'),
      assertionResults: [{ status: 'failed', fullName: 'the list is empty' }],
    }
    expect(countVitest({ testResults: [broken] }, 1, ['apps/web']).notes).toEqual([
      'apps/web/src/a.test.ts > the list is empty',
    ])
  })

  test('chosen files may leave a project without tests', () => {
    const report = { testResults: [file('apps/web/a.test.ts', 'passed')] }
    expect(countVitest(report, 0, ['apps/web', 'scripts'], []).failed).toBe(0)
  })

  test('a project that ran nothing, or only skipped tests, is a failure', () => {
    const report = {
      testResults: [file('apps/web/a.test.ts', 'passed'), file('scripts/a.test.ts', 'skipped')],
    }
    const count = countVitest(report, 0, ['apps/web', 'scripts', 'apps/server'])
    expect(count.failed).toBe(2)
    expect(count.notes).toEqual(['no test was run in scripts', 'no test was run in apps/server'])
  })

  test('a missing report and an error outside of any test are failures', () => {
    expect(countVitest(undefined, 1, ['apps/web']).failed).toBe(1)
    expect(countVitest({ testResults: [file('apps/web/a.test.ts', 'passed')] }, 1, ['apps/web']).failed).toBe(
      1,
    )
  })
})

describe('the count of a Playwright run', () => {
  const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }

  test('a journey that needed a second try is a failure', () => {
    expect(countPlaywright({ stats: { ...stats, flaky: 1 }, errors: [] }, 0)).toMatchObject({
      passed: 3,
      failed: 1,
    })
  })

  test('names each failed journey with its file and line', () => {
    const spec = { title: 'signs in', ok: false, file: 'sign-in.spec.ts', line: 7 }
    const passed = { ...spec, title: 'signs out', ok: true }
    const report = { stats: { ...stats, unexpected: 1 }, errors: [], suites: [{ specs: [passed, spec] }] }
    expect(countPlaywright(report, 1).notes).toEqual(['sign-in.spec.ts:7 > signs in'])
  })

  test('no journey at all is a failure', () => {
    expect(countPlaywright({ stats: { ...stats, expected: 0 }, errors: [] }, 0).failed).toBe(1)
    expect(countPlaywright(undefined, 1).failed).toBe(1)
  })

  test('a server that did not come up is a failure with its reason', () => {
    const report = {
      stats: { ...stats, expected: 0 },
      errors: [{ message: 'timed out waiting for the server' }],
    }
    expect(countPlaywright(report, 1)).toMatchObject({ failed: 1 })
    expect(countPlaywright(report, 1).notes[0]).toContain('timed out')
  })
})
