import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkArrows } from './arrows.ts'

const config = join(import.meta.dirname, '../.dependency-cruiser.cjs')
const trees: string[] = []

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true })
})

const SERVER = 'apps/server/src'
const WEB = 'apps/web/src'

/** A small tree of the project's shape in which every arrow points the right way. */
const CLEAN: Record<string, string> = {
  // Where the real one keeps its files.
  'node_modules/kysely/package.json': '{ "name": "kysely", "main": "dist/index.js" }',
  'node_modules/kysely/dist/index.js': 'exports.sql = 1',
  'node_modules/fastify/package.json': '{ "name": "fastify", "main": "index.js" }',
  'node_modules/fastify/index.js': 'exports.fastify = 1',
  'node_modules/ajv/package.json': '{ "name": "ajv", "main": "index.js" }',
  'node_modules/ajv/index.js': 'exports.ajv = 1',
  'package.json': '{ "dependencies": { "kysely": "1", "fastify": "1" }, "devDependencies": { "ajv": "1" } }',
  'packages/contract/src/plans.ts': 'export const plans = 1',
  [`${SERVER}/app.ts`]: "import { routes } from './features/team/routes.ts'\nexport const app = routes",
  [`${SERVER}/db/pool.ts`]: 'export const open = 1',
  [`${SERVER}/endpoint/mount.ts`]: "import { fastify } from 'fastify'\nexport const mount = fastify",
  [`${SERVER}/features/team/routes.ts`]:
    "import { mount } from '../../endpoint/mount.ts'\nimport { invite } from './service.ts'\nexport const routes = [mount, invite]",
  [`${SERVER}/features/team/service.ts`]:
    "import { find } from './store.ts'\nimport { canInvite } from './rules.ts'\nexport const invite = [find, canInvite]",
  [`${SERVER}/features/team/store.ts`]:
    "import { sql } from 'kysely'\nimport { open } from '../../db/pool.ts'\nexport const find = [sql, open]",
  [`${SERVER}/features/team/member-store.ts`]:
    "import { sql } from 'kysely'\nimport { open } from '../../db/pool.ts'\nexport const members = [sql, open]",
  [`${SERVER}/features/team/door/store.ts`]: "import { sql } from 'kysely'\nexport const opened = sql",
  [`${SERVER}/features/team/rules.ts`]:
    "import { plans } from '../../../../../packages/contract/src/plans.ts'\nexport const canInvite = plans",
  [`${SERVER}/features/billing/service.ts`]: "import { vat } from './vat.ts'\nexport const pay = vat",
  [`${SERVER}/features/billing/vat.ts`]: 'export const vat = 1',
  [`${SERVER}/features/sign-in/sso/complete.ts`]:
    "import { invite } from '../../team/service.ts'\nimport { lock } from '../../../identity/user-store.ts'\nexport const join = [invite, lock]",
  [`${SERVER}/features/sign-in/sso/name.ts`]: 'export const name = 1',
  [`${SERVER}/identity/user-store.ts`]: "import { sql } from 'kysely'\nexport const lock = sql",
  [`${SERVER}/identity/step-up.ts`]: "import { lock } from './user-store.ts'\nexport const proof = lock",
  [`${WEB}/app/router.tsx`]: "export const team = () => import('../features/team/TeamScreen.tsx')",
  [`${WEB}/features/team/TeamScreen.tsx`]:
    "import { Button } from '../../ui/base/Button.tsx'\nimport tables from 'virtual:endpoints'\nexport const TeamScreen = [Button, tables]",
  [`${WEB}/ui/base/Button.tsx`]:
    "import './button.css'\nimport font from './inter.woff2?url'\nexport const Button = font",
  [`${WEB}/ui/base/button.css`]: 'button { color: red }',
  [`${WEB}/ui/base/inter.woff2`]: '',
  [`${WEB}/features/sign-in/reset/limits.ts`]: 'export const limits = 1',
  [`${WEB}/features/team/roles.ts`]:
    "import { limits } from '../sign-in/reset/limits.ts'\nexport const roles = limits",
  [`${WEB}/ui/base/Icon.tsx`]: 'export const Icon = 1',
  [`${WEB}/ui/form/Field.tsx`]: "import { Button } from '../base/Button.tsx'\nexport const Field = Button",
  [`${WEB}/lib/api.ts`]: 'export const api = 1',
  'apps/sandbox/src/main.ts': 'export const inbox = 1',
}

function plant(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'plinth-arrows-'))
  trees.push(tree)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  return tree
}

/**
 * For each rule a forbidden import, or one of each shape: in this file, of that path; and the rules it cannot but break
 * as well. A list is planted in one tree: what goes round, or would with the others, is in one of its own.
 */
type Planted = [rule: string, file: string, importing: string, also?: string[]]
const STRAIGHT: Planted[] = [
  ['production-needs-no-dev-dependencies', `${SERVER}/db/pool.ts`, 'ajv'],
  ['contract-imports-nothing-of-ours', 'packages/contract/src/plans.ts', '../../../apps/web/src/lib/api.ts'],
  ['apps-never-meet', `${WEB}/lib/api.ts`, '../../../server/src/endpoint/mount.ts'],
  [
    'only-the-root-imports-routes',
    `${SERVER}/features/billing/service.ts`,
    '../team/routes.ts',
    ['services-below-routes'],
  ],
  ['stores-are-private', `${SERVER}/features/billing/service.ts`, '../team/store.ts'],
  ['stores-are-private', `${SERVER}/features/billing/service.ts`, '../team/member-store.ts'],
  ['stores-are-private', `${SERVER}/features/billing/service.ts`, '../team/door/store.ts'],
  ['only-stores-touch-sql', `${SERVER}/features/billing/service.ts`, 'kysely'],
  ['only-stores-touch-sql', `${SERVER}/identity/step-up.ts`, 'kysely'],
  ['identity-imports-no-feature', `${SERVER}/identity/step-up.ts`, '../features/billing/vat.ts'],
  ['no-feature-circles', `${SERVER}/features/team/rules.ts`, '../sign-in/sso/name.ts'],
  ['no-feature-circles', `${WEB}/features/sign-in/reset/limits.ts`, '../../team/roles.ts'],
  ['no-ui-circles', `${WEB}/ui/base/Icon.tsx`, '../form/Field.tsx'],
  ['services-reach-the-db-through-context', `${SERVER}/features/billing/service.ts`, '../../db/pool.ts'],
  ['nothing-imports-the-sandbox', 'e2e/journey.spec.ts', '../apps/sandbox/src/main.ts'],
  ['every-import-resolves', `${SERVER}/features/billing/service.ts`, './missing.ts'],
  [
    'rules-are-pure',
    `${SERVER}/features/team/rules.ts`,
    '../../db/pool.ts',
    ['services-reach-the-db-through-context'],
  ],
  ['only-routes-know-http', `${SERVER}/features/billing/service.ts`, 'fastify'],
  ['ui-imports-no-app-code', `${WEB}/ui/base/Button.tsx`, '../../../../../packages/contract/src/plans.ts'],
]
const ROUND: Planted[] = [
  ['no-circles', `${SERVER}/features/billing/vat.ts`, './service.ts'],
  [
    'services-below-routes',
    `${SERVER}/features/team/rules.ts`,
    './routes.ts',
    ['only-the-root-imports-routes', 'rules-are-pure'],
  ],
  ['foundations-import-no-feature', `${SERVER}/endpoint/mount.ts`, '../features/billing/service.ts'],
]
const PLANTED = [...ROUND, ...STRAIGHT]
const TYPE_IMPORTED = `${SERVER}/features/billing/service.ts`

/** What dependency-cruiser calls that which a file imports. */
const targetOf = (file: string, importing: string) =>
  ({
    kysely: 'node_modules/kysely/dist/index.js',
    fastify: 'node_modules/fastify/index.js',
    ajv: 'node_modules/ajv/index.js',
    './missing.ts': './missing.ts',
  })[importing] ?? join(dirname(file), importing)

function grow(planted: Planted[], files = CLEAN) {
  const grown = { ...files }
  for (const [at, [, file, importing]] of planted.entries())
    grown[file] =
      `import * as planted${at} from '${importing}'\nexport const use${at} = planted${at}\n${grown[file] ?? ''}`
  return checkArrows(plant(grown), config).violations
}

describe('the arrows', () => {
  const straight = grow(STRAIGHT)
  const round = grow(ROUND, {
    ...CLEAN,
    [TYPE_IMPORTED]: `import type { open } from '../../db/pool.ts'\nexport type Open = typeof open\n${CLEAN[TYPE_IMPORTED]}`,
  })

  test('a tree of the right shape breaks no rule, and every rule was checked', () => {
    const report = checkArrows(plant(CLEAN), config)
    expect(report.violations).toEqual([])
    expect(report.typescript).toBe(
      Object.keys(CLEAN).filter(path => /^(apps|packages).*tsx?$/.test(path)).length,
    )
    expect(report.rules.sort()).toEqual([...new Set(PLANTED.map(([rule]) => rule))].sort())
  })

  test.each(PLANTED)('%s fires when %s imports %s', (rule, file, importing, also = []) => {
    const target = targetOf(file, importing)
    const tree = ROUND.some(one => one[1] === file && one[2] === importing) ? round : straight
    // A circle is reported at one of its members, whichever was read first.
    const isThere = (broken: { rule: string; from: string; to: string }) =>
      broken.rule === 'no-circles'
        ? rule === 'no-circles' && [broken.from, broken.to].sort().join() === [file, target].sort().join()
        : broken.from === file && broken.to === target
    expect(
      tree
        .filter(isThere)
        .map(broken => broken.rule)
        .sort(),
    ).toEqual([rule, ...also].sort())
  })

  test('and no rule fires where nothing is planted', () => {
    const places = (planted: Planted[]) =>
      planted.map(([, file, importing]) => `${file} ${targetOf(file, importing)}`)
    const where = (broken: { from: string; to: string }) => `${broken.from} ${broken.to}`
    const isCircle = (broken: { rule: string }) => broken.rule === 'no-circles'
    // A circle of folders is reported at each of its imports.
    const otherHalves = [
      `${SERVER}/features/sign-in/sso/complete.ts ${SERVER}/features/team/service.ts`,
      `${WEB}/features/team/roles.ts ${WEB}/features/sign-in/reset/limits.ts`,
      `${WEB}/ui/form/Field.tsx ${WEB}/ui/base/Button.tsx`,
    ]
    expect([...new Set(straight.map(where))].sort()).toEqual([...places(STRAIGHT), ...otherHalves].sort())
    const billing = `${SERVER}/features/billing`
    const team = `${SERVER}/features/team`
    const circles = round.filter(isCircle).flatMap(({ from, to }) => [dirname(from), dirname(to)])
    expect(circles.sort()).toEqual([billing, billing, team, team])
    const others = round.filter(broken => !isCircle(broken)).map(where)
    const wanted = [...places(ROUND.slice(1)), `${TYPE_IMPORTED} ${SERVER}/db/pool.ts`]
    expect([...new Set(others)].sort()).toEqual(wanted.sort())
  })

  test('types count as imports too', () => {
    expect(round).toContainEqual(
      expect.objectContaining({
        rule: 'services-reach-the-db-through-context',
        from: TYPE_IMPORTED,
        to: `${SERVER}/db/pool.ts`,
      }),
    )
  })

  test('a cruise that reads no TypeScript is an error, not a success', () => {
    expect(() => checkArrows(plant({ 'apps/web/src/main.js': 'export {}' }), config)).toThrow(
      'Nothing was checked',
    )
    expect(() => checkArrows(plant({ 'apps/empty.txt': '' }), config)).toThrow()
  })
})
