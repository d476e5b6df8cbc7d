import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `npm run lives`: random lives of an account, with everything going wrong that can, and every call of the payment
 * provider with every fault. `npm run lives -- 200` lives fewer; `--from=4711` begins with that seed, and `--shorten`
 * looks for the shortest life that shows the same, to be kept in apps/server/test/simulation/seeds.ts.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string', default: '1' }, shorten: { type: 'boolean', default: false } },
})
const count = Number(positionals[0] ?? 1000)
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(Number(values.from))) {
  console.error('npm run lives -- <how many> --from=<first seed> --shorten')
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
      LIVES: String(count),
      LIVES_FROM: values.from,
      LIVES_SHORTEN: values.shorten ? '1' : '0',
      WHOLE_FAULT_MATRIX: '1',
    },
  },
)
child.on('exit', code => process.exit(code ?? 1))
