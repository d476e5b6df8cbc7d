import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Finished, run } from '../lib/run.ts'
import { type Count, countCheck, countPlaywright, countVitest } from './counts.ts'
import { packagedPostgres, startPackagedPostgres } from './packaged-postgres.ts'

export type StepResult = { count: Count; finished: Finished }
export type Step = {
  name: string
  what: string
  /** Checks share the two cores; the others use both by themselves and run alone, but for the one that is named. */
  kind: 'check' | 'suite'
  /** The suite right after this one that it runs beside: together they leave no core idle. */
  beside?: string | undefined
  /** The reason why it cannot run here, if there is one. */
  notHere?: string | undefined
  /** @param shared with another suite at the same time */
  run: (shared?: boolean) => Promise<StepResult>
}

const root = join(import.meta.dirname, '../..')
const reports = join(root, '.cache/test-reports')
const bin = (path: string) => join(root, 'node_modules', path)
const node = process.execPath
/** A suite that takes longer hangs. A busy machine can need more than twice the time of a quiet one. */
const hangSeconds = 1200

function readReport<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')) as T // the shape of the runner's own JSON reporter
}

function freshReport(name: string): string {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, `${name}.json`)
  rmSync(file, { force: true })
  return file
}

function check(name: string, what: string, args: string[]): Step {
  return {
    name,
    what,
    kind: 'check',
    run: async () => {
      const finished = await run(node, args, { cwd: root, timeoutSeconds: 240 })
      return { finished, count: countCheck(finished.code, finished.output) }
    },
  }
}

/**
 * A process of the tests lives for minutes and there are dozens of them, and Node gives each four threads to collect its
 * garbage and optimise its code with. As many as there are cores take a fifth less of the machine.
 */
const threads = { NODE_OPTIONS: [process.env.NODE_OPTIONS, '--v8-pool-size=0'].filter(Boolean).join(' ') }

type Suite = {
  name: string
  what: string
  /** Vitest project -> the folder its tests live in. */
  projects: Record<string, string>
  /** Only test files whose path has one of these in it. */
  files?: string[]
  env?: Record<string, string | undefined>
  beside?: string
  notHere?: string | undefined
}

function vitest({ name, what, projects, files = [], env, beside, notHere }: Suite, only: string[]): Step {
  return {
    name,
    what,
    kind: 'suite',
    beside,
    notHere,
    run: async shared => {
      const report = freshReport(name)
      const workers = { PLINTH_TEST_SHARED: shared ? '1' : undefined }
      const chosen = Object.keys(projects).flatMap(project => ['--project', project])
      const finished = await run(
        node,
        [
          bin('vitest/vitest.mjs'),
          'run',
          ...(only.length > 0 ? only : files),
          ...chosen,
          '--reporter=dot',
          '--reporter=json',
          `--outputFile.json=${report}`,
        ],
        {
          cwd: root,
          // Only one step has a pooler in front of its database.
          env: { PLINTH_STRICT_TESTS: '1', TEST_PGBOUNCER_URL: undefined, ...threads, ...workers, ...env },
          timeoutSeconds: hangSeconds,
        },
      )
      const folders = Object.values(projects)
      // Chosen files lie in some of the folders only.
      const demanded = only.length > 0 ? [] : folders
      return { finished, count: countVitest(readReport(report), finished.code, folders, demanded) }
    },
  }
}

/** What differs most between versions of PostgreSQL and the rights that a login has there. */
const smoke = [
  'db/migrate.postgres',
  'db/installations.postgres',
  'db/pool.test',
  'db/tenancy.test',
  'purchase/choose-plan.test',
]

/** The server on the PostgreSQL that npm has installed: all of its tests in CI, a part of them elsewhere. */
function onPackagedPostgres(only: string[]): Step {
  const native = packagedPostgres()
  const isWhole = process.env.TEST_ALL_POSTGRES === '1'
  const what = `server on PostgreSQL 18 from npm${isWhole ? '' : ', a part of its tests'}`
  const shown: Suite = {
    name: 'postgres18',
    what,
    projects: { server: 'apps/server' },
    files: isWhole ? [] : smoke,
    notHere: native ? undefined : `npm has no PostgreSQL for ${process.platform} on ${process.arch}`,
  }
  return {
    ...vitest(shown, only),
    async run() {
      const started = performance.now()
      try {
        const server = await startPackagedPostgres(native ?? '')
        const env = { PLINTH_TEST_DB: 'postgres', TEST_DATABASE_URL: server.url }
        return await vitest({ ...shown, env }, only)
          .run()
          .finally(server.stop)
      } catch (error) {
        const seconds = (performance.now() - started) / 1000
        const finished = { code: 1, output: String(error), stdout: '', seconds, timedOut: false }
        return { finished, count: countCheck(1, '') }
      }
    },
  }
}

function journeys(browser: () => Promise<Finished>, only: string[]): Step {
  return {
    name: 'e2e',
    what: 'browser journeys on the built product',
    kind: 'suite',
    run: async () => {
      const found = await browser()
      if (found.code !== 0) return { finished: found, count: countCheck(found.code, found.output) }
      const report = freshReport('e2e')
      const finished = await run(node, [bin('@playwright/test/cli.js'), 'test', ...only], {
        cwd: root,
        env: {
          CHROMIUM_PATH: found.stdout.trim(),
          PLINTH_E2E_REPORT: report,
          PLINTH_STRICT_TESTS: '1',
          // The journeys bring a data folder and ports of their own; a developer's database stays out of it.
          DATABASE_URL: undefined,
        },
        timeoutSeconds: hangSeconds,
      })
      return { finished, count: countPlaywright(readReport(report), finished.code) }
    },
  }
}

/**
 * Everything `npm test` does, in order.
 * @param only parts of paths: the suites run only test files whose path has one of them
 */
export function allSteps(browser: () => Promise<Finished>, only: string[] = []): Step[] {
  const suite = (wanted: Suite) => vitest(wanted, only)
  return [
    // Parallel checkers take twice as long here: each repeats the work of the others, and no core is free.
    check('types', 'TypeScript, every project', [bin('typescript-native/bin/tsc'), '-b', '--singleThreaded']),
    check('lint', 'lint and format', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']),
    check('readability', 'length of files and folders, plain comments', ['scripts/readability.ts']),
    check('arrows', 'imports go one way', ['scripts/arrows.ts']),
    check('deadcode', 'unused files, exports, dependencies', [bin('knip/bin/knip.js'), '--no-progress']),
    check('build', 'web build', ['scripts/build.ts']),
    suite({
      name: 'unit',
      what: 'contract, web, sandbox, tooling',
      projects: {
        contract: 'packages/contract',
        web: 'apps/web',
        sandbox: 'apps/sandbox',
        tooling: 'scripts',
      },
      beside: 'api',
    }),
    suite({
      name: 'api',
      what: 'server on the embedded database',
      projects: { server: 'apps/server' },
      env: { PLINTH_TEST_DB: undefined, TEST_DATABASE_URL: undefined },
    }),
    suite({
      name: 'postgres',
      what: 'server on PostgreSQL',
      projects: { server: 'apps/server' },
      env: { PLINTH_TEST_DB: 'postgres' },
      notHere: process.env.TEST_DATABASE_URL ? undefined : 'TEST_DATABASE_URL is not set',
    }),
    onPackagedPostgres(only),
    suite({
      name: 'pgbouncer',
      what: 'two processes behind PgBouncer in transaction mode',
      projects: { server: 'apps/server' },
      files: ['pgbouncer.test'],
      env: { PLINTH_TEST_DB: 'postgres', TEST_PGBOUNCER_URL: process.env.TEST_PGBOUNCER_URL },
      notHere: process.env.TEST_PGBOUNCER_URL ? undefined : 'TEST_PGBOUNCER_URL is not set',
    }),
    suite({
      name: 'redis',
      what: 'limits counted in Redis',
      projects: { server: 'apps/server' },
      files: ['rate-limit/login-throttle.test', 'rate-limit/limiter.test', 'rate-limit/limiter.redis.test'],
      env: { PLINTH_TEST_LIMITS: 'redis', PLINTH_TEST_DB: undefined, TEST_DATABASE_URL: undefined },
      notHere: process.env.TEST_REDIS_URL ? undefined : 'TEST_REDIS_URL is not set',
    }),
    journeys(browser, only),
  ]
}
