import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// CI and scripts/test.ts call a forgotten .only a failure; at the keyboard it is a tool.
const strict = process.env.CI !== undefined || process.env.PLINTH_STRICT_TESTS === '1'

// Whether the server's tests run at the same time as the others (scripts/test.ts).
const shared = process.env.PLINTH_TEST_SHARED === '1'
// A project does not inherit it, and vitest's own choice for two cores is one worker.
const maxWorkers = shared ? 1 : 2
// The server's tests wait for mail, clocks and processes about as long as they work.
const serverWorkers = shared ? 3 : 4

/** Half a minute each and more. One that begins last would be waited for by cores that have nothing left to do. */
const longest = [
  'simulation/simulation.test.ts',
  'purchase/fault-matrix.test.ts',
  'sign-in/same-answers.test.ts',
  'endpoint/hostile-fields.test.ts',
  'purchase/faults.test.ts',
  'purchase/change-faults.test.ts',
  'db/embedded.test.ts',
]
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => longest.some(name => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}

/** An app's own vitest.config.ts, under the name by which scripts/test.ts calls it. */
const app = (name: string, workers = maxWorkers) => ({
  extends: `./apps/${name}/vitest.config.ts`,
  root: `./apps/${name}`,
  test: { name, maxWorkers: workers },
})

export default defineConfig({
  test: {
    allowOnly: !strict,
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    maxWorkers,
    projects: [
      {
        test: {
          name: 'contract',
          maxWorkers,
          root: './packages/contract',
          include: ['{src,test}/**/*.test.ts'],
        },
      },
      app('server', serverWorkers),
      app('web'),
      app('sandbox'),
      {
        test: { name: 'tooling', maxWorkers, include: ['{scripts,bench}/**/*.test.ts'], testTimeout: 60_000 },
      },
    ],
  },
})
