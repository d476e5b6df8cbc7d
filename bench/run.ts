import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Figure, line } from './lib/report.ts'
import { makeStage, root, type Stage } from './lib/stage.ts'
import { auth, members50 } from './rows/calls.ts'
import { enumeration } from './rows/enumeration.ts'
import { install } from './rows/install.ts'
import { lighthouse } from './rows/lighthouse.ts'
import { longLists } from './rows/long-lists.ts'
import { memory } from './rows/memory.ts'
import { pages } from './rows/pages.ts'
import { roundTrips } from './rows/round-trips.ts'
import { scale } from './rows/scale.ts'
import { secrets } from './rows/secrets.ts'
import { others, signIn } from './rows/sign-in.ts'
import { coldStart } from './rows/start.ts'

/**
 * The rows of the budget table, run in this order, whichever are wanted: sign-ins push out the sessions that those who
 * sign in were given at first, with which the first rows ask.
 */
const rows: Record<string, (stage: Stage) => Promise<Figure[]>> = {
  auth,
  list: members50,
  scale,
  'long-lists': longLists,
  'sign-in': signIn,
  others,
  enumeration,
  secrets,
  pages,
  lighthouse,
  start: coldStart,
  memory,
  'round-trips': roundTrips,
  install,
}

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string' },
    quick: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, 'results.json') },
  },
})
const named = given.rows?.split(',')
const wanted = Object.keys(rows).filter(row => named?.includes(row) ?? (row !== 'install' || given.install))
const unknown = named?.filter(row => !(row in rows)) ?? []
if (unknown.length)
  throw new Error(`No row ${unknown.join(', ')}. There are: ${Object.keys(rows).join(', ')}`)

const stage = makeStage(
  given.quick
    ? { accounts: 10_000, seconds: 1.5, rounds: 3, quick: true }
    : { accounts: 100_000, seconds: 4, rounds: 7, quick: false },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stage.close().finally(() => process.exit(130)))

const figures: Figure[] = []
try {
  for (const row of wanted) {
    const measured = (await rows[row]?.(stage)) ?? []
    for (const figure of measured) console.log(line(figure))
    figures.push(...measured)
  }
  const { version } = await stage.cluster()
  const results = {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' with changes' : ''),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memory_gb: Math.round(totalmem() / 2 ** 30),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
      postgres: version,
    },
    quick: given.quick,
    figures,
  }
  writeFileSync(given.out, `${JSON.stringify(results, null, 2)}\n`)
  const count = (verdict: Figure['verdict']) => figures.filter(figure => figure.verdict === verdict).length
  console.log(
    `\n${count('aim')} at their aim, ${count('pass')} within budget, ${count('short')} short, ${count('missing')} not there yet`,
  )
} finally {
  await stage.close()
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown' // A copy without its history can be measured as well.
  }
}
