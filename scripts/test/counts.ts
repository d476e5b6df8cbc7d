/** Test counts of a step. Skipped tests are reported and never counted as passed. */
export type Count = { passed: number; failed: number; skipped: number; notes: string[] }

type VitestReport = {
  testResults: {
    name: string
    status: string
    message?: string
    assertionResults: { status: string; fullName?: string }[]
  }[]
}

type PlaywrightSuite = {
  specs?: { title: string; ok: boolean; file: string; line: number }[]
  suites?: PlaywrightSuite[]
}
type PlaywrightReport = PlaywrightSuite & {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
}

/** A check without a reporter: one thing that held or did not, unless it printed its own `checks:` line. */
export function countCheck(code: number, output: string): Count {
  const own = /^checks: (\d+) passed, (\d+) failed$/m.exec(output)
  const passed = own ? Number(own[1]) : code === 0 ? 1 : 0
  const failed = own ? Number(own[2]) : code === 0 ? 0 : 1
  return settle({ passed, failed, skipped: 0, notes: [] }, code)
}

/**
 * Vitest's JSON report.
 * @param folders the folders of the suite's projects
 * @param demanded those that must each have run at least one test: a suite that matches nothing is a failure
 */
export function countVitest(
  report: VitestReport | undefined,
  code: number,
  folders: string[],
  demanded = folders,
): Count {
  const count: Count = { passed: 0, failed: 0, skipped: 0, notes: [] }
  const executed = new Map(demanded.map(folder => [folder, 0]))
  for (const file of report?.testResults ?? []) {
    const statuses = file.assertionResults.map(result => result.status)
    const passed = statuses.filter(status => status === 'passed').length
    const failed = statuses.filter(status => status === 'failed').length
    count.passed += passed
    count.failed += failed
    count.skipped += statuses.length - passed - failed
    const name = file.name.replaceAll('\\', '/')
    const folder = folders.find(candidate => name.includes(`/${candidate}/`))
    const path = folder === undefined ? name : name.slice(name.lastIndexOf(`/${folder}/`) + 1)
    if (file.status === 'failed' && failed === 0) {
      count.failed += 1
      count.notes.push(`${path} could not be run`)
    }
    for (const test of file.assertionResults)
      if (test.status === 'failed') count.notes.push(`${path} > ${test.fullName ?? ''}`)
    const before = folder === undefined ? undefined : executed.get(folder)
    if (folder !== undefined && before !== undefined) executed.set(folder, before + passed + failed)
  }
  for (const [folder, tests] of executed) {
    if (tests > 0) continue
    count.failed += 1
    count.notes.push(`no test was run in ${folder}`)
  }
  return settle(count, code)
}

/** Playwright's JSON report. A journey that passed only on a second try is a failure to us. */
export function countPlaywright(report: PlaywrightReport | undefined, code: number): Count {
  const stats = report?.stats ?? { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
  const count: Count = {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    notes: [
      ...(report?.errors ?? []).flatMap(error => (error.message ? [error.message] : [])),
      ...(report ? failedSpecs(report) : []),
    ],
  }
  if (count.passed + count.failed === 0) {
    count.failed = 1
    count.notes.push('no journey was run')
  }
  return settle(count, code)
}

const failedSpecs = ({ specs = [], suites = [] }: PlaywrightSuite): string[] => [
  ...specs.filter(spec => !spec.ok).map(spec => `${spec.file}:${spec.line} > ${spec.title}`),
  ...suites.flatMap(failedSpecs),
]

/** A run that ended badly is never green, whatever its report says. */
function settle(count: Count, code: number): Count {
  if (code === 0 || count.failed > 0) return count
  return { ...count, failed: 1, notes: [...count.notes, `the run ended with exit code ${code}`] }
}
