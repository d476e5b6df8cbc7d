import { randomUUID } from 'node:crypto'
import { contract, type Endpoint } from '@plinth/contract'
import { refusals } from '@plinth/contract/refusals'
import { scopes } from '@plinth/contract/scopes'
import { describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/lib/api-key.ts'
import { newToken } from '../../src/lib/crypto.ts'
import { invariant } from '../../src/lib/invariant.ts'
import { accountFactory, type TestRole } from '../factories/accounts.ts'
import { everyTableFactory } from '../factories/every-table.ts'
import { makeTestApp } from '../harness.ts'
import {
  type AccountState,
  accountStates,
  type Caller,
  expectedPlanOffer,
  expectedRefusal,
  isAccessCode,
  mayTargetAnyUser,
} from './access-rules.ts'

/**
 * Makes every call of the contract as every kind of caller: each role in each account state, support sessions, and API
 * keys of each role with each scope. access-rules.ts derives the expected reply from the contract's row.
 *
 * Sends empty bodies and unknown ids, so that accepted calls change nothing and the same users serve the whole contract.
 * Sign-out is the exception, so it is the last call of each user.
 */
const harness = await makeTestApp()
const { call } = harness
const { account, person, apiKey } = accountFactory(harness)
const belongings = everyTableFactory(harness)

const roles: TestRole[] = ['master', 'owner', 'admin', 'developer', 'user']
const members: TestRole[] = ['owner', 'admin', 'developer', 'user']
const names = Object.keys(accountStates) as AccountState[] // as: keys of the record
const all: Endpoint[] = Object.values(contract).flatMap(table => Object.values(table))
const signsOut = ({ method, path }: Endpoint) => method === 'DELETE' && path === '/api/auth'

type Someone = Caller & { secret?: string }
type Cast = { by: 'session' | 'support' | 'key'; roles: TestRole[]; standings: AccountState[] }
const lapsed: AccountState[] = ['unpaid', 'unauthorised', 'canceled']
/** Account states that the contract treats alike are tested with some roles only, to save time. */
const cast: Cast[] = [
  { by: 'session', roles, standings: ['unverified', 'planless', 'free', 'paid', 'unpaid'] },
  { by: 'session', roles: ['master', 'owner'], standings: ['trialing', 'unauthorised', 'canceled'] },
  { by: 'support', roles: members, standings: ['paid'] },
  { by: 'support', roles: ['owner'], standings: ['unverified', 'planless', 'unpaid'] },
  { by: 'key', roles, standings: ['paid'] },
  { by: 'key', roles: ['developer'], standings: ['unverified', 'planless', 'free', 'trialing', ...lapsed] },
]

async function createCallers(): Promise<Someone[]> {
  const accounts = new Map<AccountState, string>()
  for (const name of names)
    accounts.set(name, await account(accountStates[name].plan, accountStates[name].status))
  const at = (standing: AccountState) => invariant(accounts.get(standing), standing)
  const support = await person(at('paid'), 'master')
  const callers: Someone[] = [
    { by: 'none' },
    { by: 'dead session', secret: newToken() },
    { by: 'dead key', secret: newApiKey('test') },
  ]
  for (const { by, roles: each, standings: where } of cast)
    for (const [role, standing] of each.flatMap(one => where.map(there => [one, there] as const))) {
      const { verified } = accountStates[standing]
      const impersonator_id = by === 'support' ? support.id : null
      const who = await person(at(standing), role, { verified, impersonator_id })
      if (by !== 'key') callers.push({ by, role, standing, secret: who.token })
      else callers.push({ by, role, standing, scopes, secret: (await apiKey(who, scopes)).key })
    }
  for (const scope of scopes) {
    const { key } = await apiKey(await person(at('paid'), 'developer'), [scope])
    callers.push({ by: 'key', role: 'developer', standing: 'paid', scopes: [scope], secret: key })
  }
  return callers
}

const sent = (
  { method, path }: Endpoint,
  secret: string | undefined,
  { id = randomUUID() as string, body = {} } = {},
) =>
  call(method, path.replace(/:\w+/g, id), {
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
    body: method === 'GET' ? undefined : body,
  })

/** Public calls do not depend on the account state, so one state is enough. */
const meets = ({ standing = 'paid' }: Caller, { needs }: Endpoint) =>
  needs !== 'public' || standing === 'paid'

/** Describes a wrong reply; null when it is right. */
function fault(caller: Caller, endpoint: Endpoint, { status, body }: Awaited<ReturnType<typeof sent>>) {
  const due = expectedRefusal(caller, endpoint)
  const got = `${status} ${body.code ?? ''} ${body.plan ?? ''}`.trim()
  const plan = due && refusals[due] === 402 ? expectedPlanOffer(caller.standing ?? 'paid') : ''
  const wanted = due ? `${refusals[due]} ${due} ${plan}`.trim() : 'to be let in'
  const right = due ? got === wanted : status !== 401 && status < 500 && !isAccessCode(body.code)
  if (right) return null
  const { secret: _, ...who } = caller as Someone // as: the secret is nothing to print
  return { ...who, call: `${endpoint.method} ${endpoint.path}`, wanted, got }
}

describe('who may call what [T-32] [T-39] [T-41] [T-42] [T-44]', () => {
  test('every call replies to every caller as its row in the contract says', {
    timeout: 120_000,
  }, async () => {
    const callers = await createCallers()
    const last = all.filter(signsOut)
    expect(last).toHaveLength(1)
    const faults: unknown[] = []
    const ask = async (caller: Someone, endpoint: Endpoint) =>
      faults.push(fault(caller, endpoint, await sent(endpoint, caller.secret)))
    // One after the other: thousands of calls at once would wait for a connection until they are refused.
    for (const caller of callers) {
      const first = all.filter(endpoint => !signsOut(endpoint) && meets(caller, endpoint))
      await Promise.all(first.map(endpoint => ask(caller, endpoint)))
      for (const endpoint of last) await ask(caller, endpoint)
    }
    expect(faults.filter(found => found !== null)).toEqual([])
    const due = callers.flatMap(caller => all.filter(endpoint => meets(caller, endpoint)))
    expect(due.length).toBeGreaterThan(3000)
    expect(faults).toHaveLength(due.length)
  })
})

/** Id of an existing record of another user, by the path segment before `:id`. */
async function thingsOf(role: TestRole, account_id: string) {
  const owner = await person(account_id, role)
  const colleague = await person(account_id, 'user')
  const has = await belongings(owner, await person(account_id, 'master'), `c${owner.id.slice(0, 8)}`)
  return {
    account: {
      key: has.api_keys.id,
      user: colleague.id,
      invite: has.invites.id,
      domains: has.sso_domains.id,
    },
    person: { sessions: owner.session_id, passkeys: has.passkeys.id, identities: has.identities.id },
  }
}

const withId = all.filter(({ path }) => path.includes(':id'))
const kindOf = ({ path }: Endpoint) => path.split('/:id')[0]?.split('/').at(-1) ?? ''

describe('the id of another account [T-34]', () => {
  test('gets the same reply as an unknown id, for every permitted role', async () => {
    const foreign = await thingsOf('owner', await account())
    const own = await account()
    const inside = await thingsOf('admin', own)
    const callers = await Promise.all(roles.map(async role => ({ role, ...(await person(own, role)) })))
    let compared = 0
    for (const endpoint of withId) {
      const kind = kindOf(endpoint)
      // Without the permission the call is refused before the record is looked up.
      const body = endpoint.body?.safeParse({}).success === false ? { name: 'Renamed' } : {}
      // Personal records are private within the account too.
      const ids = Object.entries({ ...foreign.account, ...foreign.person }).concat(
        Object.entries(inside.person),
      )
      const others = ids.filter(([of]) => of === kind)
      expect(others.length, `a thing for ${endpoint.path}`).toBeGreaterThan(0)
      for (const { role, token } of callers) {
        if (expectedRefusal({ by: 'session', role, standing: 'paid' }, endpoint)) continue
        const unknown = await sent(endpoint, token, { body })
        expect(unknown, `${role} ${endpoint.method} ${endpoint.path}`).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        })
        for (const [, id] of mayTargetAnyUser({ by: 'session', role }, endpoint) ? [] : others) {
          const answer = await sent(endpoint, token, { id, body })
          expect(answer.text, `${role} ${endpoint.method} ${endpoint.path} ${id}`).toBe(unknown.text)
          expect(answer.status).toBe(unknown.status)
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(withId.length)
  })
})
