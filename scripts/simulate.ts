import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run simulate`: random scenarios of accounts with injected faults, and every call of the payment provider with every
 * fault. `npm run simulate -- 200` runs fewer; `--from=4711` starts with that seed; `--shorten` finds the shortest scenario
 * with the same failure, for apps/server/test/simulation/seeds.ts.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' }, shorten: { type: 'boolean', default: false } },
})
const count = Number(positionals[0] ?? 1000)
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(Number(values.from))) {
  console.error('npm run simulate -- <count> --from=<first seed> --shorten')
  process.exit(2)
}
const root = join(import.meta.dirname, '..')
const files = ['test/simulation/simulation.test.ts', ...(values.shorten ? [] : ['fault-matrix.test.ts'])]
const child = spawn(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'server', '--reporter=dot', ...files],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SIMULATION_COUNT: String(count),
      SIMULATION_FIRST_SEED: values.from,
      SIMULATION_SHORTEN: values.shorten ? '1' : '0',
      WHOLE_FAULT_MATRIX: '1',
    },
  },
)
child.on('exit', code => process.exit(code ?? 1))
