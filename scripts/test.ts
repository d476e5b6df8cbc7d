import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { watchNpm } from './lib/npm.ts'
import { type Finished, run, stopRunning } from './lib/run.ts'
import { allSteps, type Step, type StepResult } from './test/steps.ts'

const SHOWN_LINES = 200

/**
 * `npm test`: every check and every suite, each with its duration, and the sum over all runners as the
 * last line. A failure does not stop the independent steps after it.
 * `npm test -- --only=unit,api` runs some steps, `npm test -- --only=api team/invite` those test files of a suite.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
})

// Bringing a browser can take a minute on a new machine, so it starts beside the first checks.
let bringing: Promise<Finished> | undefined
const browser = () => {
  bringing ??= run(process.execPath, ['scripts/browser.ts'], { timeoutSeconds: 420 })
  return bringing
}
const steps = allSteps(browser, positionals)
const names = steps.map(step => step.name)

if (values.help) {
  console.log(
    `npm test -- --only=<steps> <part of a test file's path>…\n${steps.map(step => `  ${step.name.padEnd(9)} ${step.what}`).join('\n')}`,
  )
  process.exit(0)
}
const only = values.only?.split(',').map(name => name.trim())
const unknown = only?.filter(name => !names.includes(name)) ?? []
if (unknown.length > 0) {
  console.error(`Unknown step: ${unknown.join(', ')}. The steps are: ${names.join(', ')}.`)
  process.exit(2)
}

const stop = (why: string) => {
  stopRunning()
  console.log(`\nStopped by ${why}.`)
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(signal))
watchNpm(() => stop('the end of npm'))

/** The end of a long output, where runners put their failures; all of it goes to a file. */
function readable(name: string, output: string): string {
  const lines = output.trimEnd().split('\n')
  if (lines.length <= SHOWN_LINES) return lines.join('\n')
  mkdirSync('.cache/test-reports', { recursive: true })
  const file = `.cache/test-reports/${name}.log`
  writeFileSync(file, output)
  return `(the last ${SHOWN_LINES} of ${lines.length} lines; all of them are in ${file})\n${lines.slice(-SHOWN_LINES).join('\n')}`
}

/** Printed together at the end. */
const failures: string[] = []
const total = { passed: 0, failed: 0, skipped: 0 }

function report(step: Step, { count, finished }: StepResult): void {
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
  const verdict = count.failed > 0 ? 'FAILED' : 'ok'
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
  const numbers = `${count.passed} passed, ${count.failed} failed${skipped}`
  if (count.failed > 0) {
    console.log(`\n--- ${step.name}: output\n${readable(step.name, finished.output)}`)
    const notes = count.notes.length > 0 ? count.notes : ['its output above says what']
    failures.push(...notes.map(note => `${step.name}: ${note}`))
    console.log('---')
  }
  console.log(
    `${verdict.padEnd(7)} ${step.name.padEnd(9)} ${finished.seconds.toFixed(1).padStart(6)} s  ${numbers}  (${step.what})`,
  )
}

const chosen = steps.filter(step => only === undefined || only.includes(step.name))
const runnable = chosen.filter(step => step.notHere === undefined)
const started = performance.now()
console.log(`Plinth: ${runnable.length} steps on Node ${process.versions.node}`)
if (runnable.some(step => step.name === 'e2e')) void browser()

// Two checks at a time: one lane per core of the smallest machine we promise to be quick on.
const checks = runnable.filter(step => step.kind === 'check')
const lane = async () => {
  for (let step = checks.shift(); step !== undefined; step = checks.shift()) report(step, await step.run())
}
await Promise.all([lane(), lane()])
const suites = runnable.filter(step => step.kind === 'suite')
for (let first = suites.shift(); first !== undefined; first = suites.shift()) {
  const second = first.beside !== undefined && first.beside === suites[0]?.name ? suites.shift() : undefined
  const together = second === undefined ? [first] : [first, second]
  await Promise.all(together.map(async step => report(step, await step.run(together.length > 1))))
}

for (const step of chosen) {
  if (step.notHere !== undefined) console.log(`not run ${step.name.padEnd(9)} ${step.notHere} (${step.what})`)
}
if (total.skipped > 0)
  console.log(`${total.skipped} tests were skipped by their own condition and are not counted`)
console.log(`took ${((performance.now() - started) / 1000).toFixed(0)} s`)
if (total.passed + total.failed === 0) {
  console.error('Nothing was run.')
  process.exitCode = 1
}
if (total.failed > 0) {
  process.exitCode = 1
  console.log(`\nFailed (one alone: npm test -- --only=<step> <file>):`)
  for (const failure of failures) console.log(`  ${failure}`)
}
console.log(`${total.passed} passed, ${total.failed} failed`)
