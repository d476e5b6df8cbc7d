import { describe, expect, test } from 'vitest'
import { type AccessState, landingPath, onlyAnOwnerCanHelp, redirectFor, stageOf } from './access.ts'
import { type Role, roles } from './roles.ts'

const publicRoute = (path: string) => [path, undefined] as const
const routeFor = (role: Role) => (path: string) => [path, role] as const

const user = (over: Partial<AccessState> = {}): AccessState => ({
  verified: true,
  email_pending: false,
  plan: 'free',
  onboarded: true,
  subscription: 'active',
  permission: 'owner',
  ...over,
})

const unenrolled = { permission: 'master', second_factor_required: true } as const

describe('screens that a session may open [state:guard]', () => {
  test.each([
    ['a visitor on a public page', null, '/login', undefined, null],
    ['a visitor on a page for users', null, '/dashboard', 'user', '/login'],
    ['too low a role', user({ permission: 'admin' }), '/account/apikeys', 'developer', '/login'],
    ['unverified anywhere', user({ verified: false }), '/dashboard', 'user', '/signup/verify'],
    ['unverified on verify', user({ verified: false }), '/signup/verify', 'user', null],
    ['unverified on the profile', user({ verified: false }), '/account/profile', 'user', null],
    ['verified on verify', user(), '/signup/verify', 'user', '/dashboard'],
    ['a new address to prove, on verify', user({ email_pending: true }), '/signup/verify', 'user', null],
    [
      'verified on verify, before the server said more',
      user({ email_pending: undefined }),
      '/signup/verify',
      'user',
      null,
    ],
    ['a new address to prove, anywhere', user({ email_pending: true }), '/dashboard', 'user', null],
    ['no plan anywhere', user({ plan: null, subscription: null }), '/dashboard', 'user', '/signup/plan'],
    ['no plan on plans', user({ plan: null, subscription: null }), '/signup/plan', 'owner', null],
    ['no plan on the profile', user({ plan: null, subscription: null }), '/account/profile', 'user', null],
    ['unpaid anywhere', user({ subscription: 'canceled' }), '/dashboard', 'user', '/account/billing'],
    ['unpaid on billing', user({ subscription: 'requires_action' }), '/account/billing', 'owner', null],
    [
      'unpaid on upgrade',
      user({ subscription: 'requires_payment_method' }),
      '/account/upgrade',
      'owner',
      null,
    ],
    ['unpaid on the overview', user({ subscription: 'canceled' }), '/account', 'user', null],
    ['unpaid on plans', user({ subscription: 'canceled' }), '/signup/plan', 'owner', null],
    [
      'a master, unpaid',
      user({ subscription: 'canceled', permission: 'master' }),
      '/dashboard',
      'user',
      null,
    ],
    ['a master without a second factor', user(unenrolled), '/dashboard', 'user', '/account/2fa'],
    [
      'a master without a second factor or a plan',
      user({ ...unenrolled, plan: null }),
      '/account/2fa',
      'user',
      null,
    ],
    ['trialing', user({ subscription: 'trialing' }), '/dashboard', 'user', null],
    [
      'unpaid, and no owner',
      user({ subscription: 'canceled', permission: 'admin' }),
      '/dashboard',
      'user',
      '/account',
    ],
    [
      'unpaid, no owner, on the overview',
      user({ subscription: 'canceled', permission: 'user' }),
      '/account',
      'user',
      null,
    ],
    [
      'no plan, and no owner',
      user({ plan: null, permission: 'developer' }),
      '/dashboard',
      'user',
      '/account',
    ],
  ] as const)(
    '[state:access.no-token] [state:access.unverified] [state:access.no-plan] [state:access.subscription] [state:access.master-exempt] [role:master-exempt] [state:access.verified-on-verify] %s',
    (_title, state, path, needs, instead) => {
      expect(redirectFor(state, path, needs)).toBe(instead)
    },
  )

  test.each([
    [{ verified: false, plan: null, onboarded: false }, '/signup/verify'],
    [{ verified: true, plan: null, onboarded: false }, '/signup/plan'],
    [{ verified: true, plan: 'free', onboarded: false }, '/welcome'],
    [{ verified: true, plan: 'free', onboarded: true }, '/dashboard'],
  ])(
    '[state:after-sign-in.unverified] [state:after-sign-in.no-plan] [state:after-sign-in.not-onboarded] [state:after-sign-in.complete] %j lands on %s',
    (state, path) => {
      expect(landingPath(user(state))).toBe(path)
    },
  )

  test('a member who can’t choose a plan opens the overview that names the owners', () => {
    const member = user({ plan: null, permission: 'admin', onboarded: false })
    expect(landingPath(user(unenrolled))).toBe('/account/2fa')
    expect([landingPath(member), onlyAnOwnerCanHelp(member)]).toEqual(['/account', true])
    expect(onlyAnOwnerCanHelp(user({ plan: null }))).toBe(false)
    expect(onlyAnOwnerCanHelp(user({ permission: 'user' }))).toBe(false)
    expect(onlyAnOwnerCanHelp(user({ permission: 'user', verified: false }))).toBe(false)
  })

  /** Routes with their permission; undefined for public screens. */
  const routes: ReadonlyArray<readonly [path: string, needs: Role | undefined]> = [
    ...['/', '/login', '/signup', '/signup/user', '/login/otp', '/login/social', '/login/saml'].map(
      publicRoute,
    ),
    ...['/login/saml/callback', '/magic', '/forgotpassword', '/resetpassword'].map(publicRoute),
    ...['/signin/impersonate', '/404', '/notfound'].map(publicRoute),
    ...['/signup/verify', '/dashboard', '/welcome', '/help', '/account', '/account/profile'].map(
      routeFor('user'),
    ),
    ...['/account/password', '/account/2fa', '/account/notifications'].map(routeFor('user')),
    ...['/signup/plan', '/account/billing', '/account/upgrade'].map(routeFor('owner')),
    ...['/account/users'].map(routeFor('admin')),
    ...['/account/apikeys', '/account/apikeys/create', '/account/apikeys/edit'].map(routeFor('developer')),
  ]
  const needs = new Map(routes)
  const statuses = [null, 'active', 'trialing', 'requires_payment_method', 'requires_action', 'canceled']
  const allUsers = roles.flatMap(permission =>
    [true, false].flatMap(verified =>
      [null, 'free', 'scale'].flatMap(plan =>
        [true, false].flatMap(onboarded =>
          statuses.map(subscription => ({ permission, verified, plan, onboarded, subscription })),
        ),
      ),
    ),
  )

  test.each(routes)(
    '[state:access.subscription] [state:access.no-plan] from %s every user needs at most three redirects',
    start => {
      for (const state of allUsers) {
        const visited = follow(state, start)
        expect(visited.length, `${JSON.stringify(state)}: ${visited.join(' > ')}`).toBeLessThanOrEqual(4)
      }
    },
  )

  /** All paths from the first to the one that is shown. */
  function follow(state: AccessState, start: string): string[] {
    const visited = [start]
    for (let at = start; visited.length < 10; ) {
      const home = at === '/' || at === '/login'
      const next = home ? landingPath(state) : redirectFor(state, at, needs.get(at))
      if (next === null) return visited
      visited.push(next)
      at = next
    }
    return visited
  }

  test('stageOf returns the stage of a session user', () => {
    expect(stageOf(user({ verified: false }))).toBe('session')
    expect(stageOf(user({ plan: null }))).toBe('verified')
    expect(stageOf(user({ subscription: null }))).toBe('planned')
    expect(stageOf(user())).toBe('active')
  })
})
