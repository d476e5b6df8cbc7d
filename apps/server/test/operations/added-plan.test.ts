import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callServer, payments } from '../harness/http-client.ts'
import { createServerEnv, startServer } from '../harness/server-process.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'
import { freshNumber } from '../payments.ts'

const own = await createServerEnv()
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** A copy of contract and server that shares the dependencies. */
function copyProduct(): string {
  const copy = temporaryFolder()
  for (const path of ['packages/contract', 'apps/server/src', 'apps/server/package.json', 'package.json'])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: source => !source.endsWith('node_modules'),
    })
  mkdirSync(join(copy, 'node_modules/@plinth'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@plinth') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
  symlinkSync(join(copy, 'packages/contract'), join(copy, 'node_modules/@plinth/contract'))
  return copy
}

function edit(file: string, from: string, to: string) {
  const text = readFileSync(file, 'utf8')
  expect(text.split(from), `${from} in ${file}`).toHaveLength(2)
  writeFileSync(file, text.replace(from, to))
}

test('a plan in another currency is sold after one edit of plans.ts and one text for each language', async () => {
  const copy = copyProduct()
  const added = `team: {
    type: 'per_seat',
    price: 2000,
    interval: 'month',
    currency: 'eur',
    trial_days: 0,
    lookup_key: 'plinth_team_month',
    metered: null,
    entitlements: { users: 50, api_keys: 20, events: 200_000 },
    slabs: 2,
  },
  scale: {`
  edit(join(copy, 'packages/contract/src/plans.ts'), 'scale: {', added)
  for (const locale of ['en', 'de'])
    edit(
      join(copy, `apps/server/src/locales/${locale}.json`),
      '"plans.scale":',
      '"plans.team": "Team",\n  "plans.scale":',
    )

  const main = join(copy, 'apps/server/src/main.ts')
  const server = await startServer({ ...own, SEED_DEMO: '1' }, { main })
  const call = (method: string, path: string, token?: string, body?: object) =>
    callServer(`${server.url}${path}`, method, body, token)
  const credentials = { email: 'no-plan@demo.plinth.example', password: 'plinth-demo-1' }
  const { token } = (await call('POST', '/api/auth', undefined, credentials)).data

  const offers = await call('GET', '/api/account/plans', token)
  const team = {
    id: 'team',
    name: 'Team',
    label: 'Team €20/month',
    currency: { code: 'eur', symbol: '€' },
  }
  expect(offers.data.plans).toContainEqual(expect.objectContaining(team))
  const preview = await call('GET', '/api/account/plan/preview?plan=team', token)
  expect(preview.data).toMatchObject({ due_now: 2000, currency: 'eur' })
  const card = await payments.card(freshNumber())
  const chosen = { plan: 'team', token: card, quote: preview.data.quote }
  expect(await call('POST', '/api/account/plan', token, chosen)).toMatchObject({
    status: 200,
    data: { plan: 'team', subscription: 'active' },
  })
  await server.stop()
})
