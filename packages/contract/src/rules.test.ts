import { describe, expect, test } from 'vitest'
import { landing, onlyAnOwnerCanHelp, type Standing, stageOf, whereInstead } from './access.ts'
import { id } from './fields.ts'
import { hasSpecialCharacter, isEmail, isNumber, isPhone, isUrl } from './patterns.ts'
import { isPlanId, planFor, planIds, planOf } from './plans.ts'
import { givenRoles, grants, isRole, memberRoles, type Role, roles } from './roles.ts'

test('an id is the same id in capital letters: nobody is somebody else to a comparison (T-31)', () => {
  const one = '0198c2d4-7f6e-7abc-8def-0123456789ab'
  expect(id.parse(one.toUpperCase())).toBe(one)
})

describe('roles', () => {
  const table: Record<Role, string> = {
    master: 'master owner admin developer user',
    owner: 'owner admin developer user',
    admin: 'admin user',
    developer: 'developer user',
    user: 'user',
  }
  test('[role:master] [role:owner] [role:admin] [role:developer] [role:user] [entity:permission-flags] each includes what section 6 lists', () => {
    for (const role of roles)
      expect(roles.filter(other => grants(role, other)).join(' '), role).toBe(table[role])
  })
  test('owner can’t be given, master can’t be held', () => {
    expect(givenRoles).not.toContain('owner')
    expect(memberRoles).not.toContain('master')
    expect([isRole('admin'), isRole('root'), isRole(null)]).toEqual([true, false, false])
  })
})

const public_ = (path: string) => [path, undefined] as const
const for_ = (role: Role) => (path: string) => [path, role] as const

const who = (over: Partial<Standing> = {}): Standing => ({
  verified: true,
  email_pending: false,
  plan: 'free',
  onboarded: true,
  subscription: 'active',
  permission: 'owner',
  ...over,
})

const unenrolled = { permission: 'master', second_factor_required: true } as const

describe('where a session may go [state:guard]', () => {
  test.each([
    ['a visitor on a public page', null, '/login', undefined, null],
    ['a visitor on a page for users', null, '/dashboard', 'user', '/login'],
    ['too low a role', who({ permission: 'admin' }), '/account/apikeys', 'developer', '/login'],
    ['unverified anywhere', who({ verified: false }), '/dashboard', 'user', '/signup/verify'],
    ['unverified on verify', who({ verified: false }), '/signup/verify', 'user', null],
    ['unverified on the profile', who({ verified: false }), '/account/profile', 'user', null],
    ['verified on verify', who(), '/signup/verify', 'user', '/dashboard'],
    ['a new address to prove, on verify', who({ email_pending: true }), '/signup/verify', 'user', null],
    [
      'verified on verify, before the server said more',
      who({ email_pending: undefined }),
      '/signup/verify',
      'user',
      null,
    ],
    ['a new address to prove, anywhere', who({ email_pending: true }), '/dashboard', 'user', null],
    ['no plan anywhere', who({ plan: null, subscription: null }), '/dashboard', 'user', '/signup/plan'],
    ['no plan on plans', who({ plan: null, subscription: null }), '/signup/plan', 'owner', null],
    ['no plan on the profile', who({ plan: null, subscription: null }), '/account/profile', 'user', null],
    ['unpaid anywhere', who({ subscription: 'canceled' }), '/dashboard', 'user', '/account/billing'],
    ['unpaid on billing', who({ subscription: 'requires_action' }), '/account/billing', 'owner', null],
    [
      'unpaid on upgrade',
      who({ subscription: 'requires_payment_method' }),
      '/account/upgrade',
      'owner',
      null,
    ],
    ['unpaid on the overview', who({ subscription: 'canceled' }), '/account', 'user', null],
    ['unpaid on plans', who({ subscription: 'canceled' }), '/signup/plan', 'owner', null],
    ['a master, unpaid', who({ subscription: 'canceled', permission: 'master' }), '/dashboard', 'user', null],
    ['a master without a second factor', who(unenrolled), '/dashboard', 'user', '/account/2fa'],
    [
      'a master without a second factor or a plan',
      who({ ...unenrolled, plan: null }),
      '/account/2fa',
      'user',
      null,
    ],
    ['trialing', who({ subscription: 'trialing' }), '/dashboard', 'user', null],
    [
      'unpaid, and no owner',
      who({ subscription: 'canceled', permission: 'admin' }),
      '/dashboard',
      'user',
      '/account',
    ],
    [
      'unpaid, no owner, on the overview',
      who({ subscription: 'canceled', permission: 'user' }),
      '/account',
      'user',
      null,
    ],
    ['no plan, and no owner', who({ plan: null, permission: 'developer' }), '/dashboard', 'user', '/account'],
  ] as const)(
    '[state:access.no-token] [state:access.unverified] [state:access.no-plan] [state:access.subscription] [state:access.master-exempt] [role:master-exempt] [state:access.verified-on-verify] %s',
    (_what, standing, path, needs, instead) => {
      expect(whereInstead(standing, path, needs)).toBe(instead)
    },
  )

  test.each([
    [{ verified: false, plan: null, onboarded: false }, '/signup/verify'],
    [{ verified: true, plan: null, onboarded: false }, '/signup/plan'],
    [{ verified: true, plan: 'free', onboarded: false }, '/welcome'],
    [{ verified: true, plan: 'free', onboarded: true }, '/dashboard'],
  ])(
    '[state:after-sign-in.unverified] [state:after-sign-in.no-plan] [state:after-sign-in.not-onboarded] [state:after-sign-in.complete] %j lands on %s',
    (standing, path) => {
      expect(landing(who(standing))).toBe(path)
    },
  )

  test('a member who can’t choose a plan lands where it is said who can', () => {
    const member = who({ plan: null, permission: 'admin', onboarded: false })
    expect(landing(who(unenrolled))).toBe('/account/2fa')
    expect([landing(member), onlyAnOwnerCanHelp(member)]).toEqual(['/account', true])
    expect(onlyAnOwnerCanHelp(who({ plan: null }))).toBe(false)
    expect(onlyAnOwnerCanHelp(who({ permission: 'user' }))).toBe(false)
    expect(onlyAnOwnerCanHelp(who({ permission: 'user', verified: false }))).toBe(false)
  })

  /** As the routes have it: public screens with an undefined permission; at /login a session goes on to its landing. */
  const routes: ReadonlyArray<readonly [path: string, needs: Role | undefined]> = [
    ...['/', '/login', '/signup', '/signup/user', '/login/otp', '/login/social', '/login/saml'].map(public_),
    ...['/login/saml/callback', '/magic', '/forgotpassword', '/resetpassword'].map(public_),
    ...['/signin/impersonate', '/404', '/notfound'].map(public_),
    ...['/signup/verify', '/dashboard', '/welcome', '/help', '/account', '/account/profile'].map(
      for_('user'),
    ),
    ...['/account/password', '/account/2fa', '/account/notifications'].map(for_('user')),
    ...['/signup/plan', '/account/billing', '/account/upgrade'].map(for_('owner')),
    ...['/account/users'].map(for_('admin')),
    ...['/account/apikeys', '/account/apikeys/create', '/account/apikeys/edit'].map(for_('developer')),
  ]
  const needs = new Map(routes)
  const statuses = [null, 'active', 'trialing', 'requires_payment_method', 'requires_action', 'canceled']
  const everybody = roles.flatMap(permission =>
    [true, false].flatMap(verified =>
      [null, 'free', 'scale'].flatMap(plan =>
        [true, false].flatMap(onboarded =>
          statuses.map(subscription => ({ permission, verified, plan, onboarded, subscription })),
        ),
      ),
    ),
  )

  test.each(routes)(
    '[state:access.subscription] [state:access.no-plan] from %s everybody settles within three steps',
    start => {
      for (const standing of everybody) {
        const way = follow(standing, start)
        expect(way.length, `${JSON.stringify(standing)}: ${way.join(' > ')}`).toBeLessThanOrEqual(4)
      }
    },
  )

  /** Every address on the way, the first and the one that is shown included. */
  function follow(standing: Standing, start: string): string[] {
    const way = [start]
    for (let at = start; way.length < 10; ) {
      const home = at === '/' || at === '/login'
      const next = home ? landing(standing) : whereInstead(standing, at, needs.get(at))
      if (next === null) return way
      way.push(next)
      at = next
    }
    return way
  }

  test('the stage follows the session', () => {
    expect(stageOf(who({ verified: false }))).toBe('session')
    expect(stageOf(who({ plan: null }))).toBe('verified')
    expect(stageOf(who({ subscription: null }))).toBe('planned')
    expect(stageOf(who())).toBe('active')
  })
})

describe('plans', () => {
  test('each costs what the price list says, in minor units', () => {
    expect(planIds.map(id => [id, planOf(id).price, planOf(id).interval])).toEqual([
      ['free', 0, null],
      ['startup', 1200, 'month'],
      ['startup_yearly', 12_000, 'year'],
      ['scale', 4900, 'month'],
    ])
    expect([isPlanId('scale'), isPlanId('gold'), isPlanId('__proto__')]).toEqual([true, false, false])
  })
  test('the plan to buy is the cheapest that covers the need', () => {
    expect([
      planFor('users', 3),
      planFor('users', 4),
      planFor('users', 21),
      planFor('api_keys', 101),
    ]).toEqual(['free', 'startup', 'scale', null])
  })
})

describe('patterns', () => {
  const worst = [
    `${'a'.repeat(50_000)}@`,
    `${'a.'.repeat(25_000)}@b.cc`,
    `a@${'b.'.repeat(25_000)}`,
    `+${'1 '.repeat(25_000)}`,
    `http://${'a-'.repeat(25_000)}`,
    '-'.repeat(50_000),
    `${'1'.repeat(50_000)}.`,
  ]
  test.each([
    [
      'email',
      isEmail,
      ['a@b.cc', "o'brien+x@sub.example.co", 'a_b@xn--bcher-kva.example'],
      [
        '',
        'a',
        'a@',
        '@b.cc',
        'a@b',
        'a@@b.cc',
        'a b@c.dd',
        'a@b..cc',
        '.a@b.cc',
        'a@-b.cc',
        'a@b.c',
        'a,b@c.dd',
        '<a@b.cc>',
        'a@b.cc\n',
        'ä@b.cc',
        `${'a'.repeat(65)}@b.cc`,
      ],
    ],
    [
      'phone',
      isPhone,
      ['1234567', '+1 1234567890', '+49 30 123 456'],
      ['123456', '1234567890123456', '+', '12  34567', '12-34567', 'abc', ''],
    ],
    [
      'url',
      isUrl,
      ['example.com', 'https://www.example.com/a?b=c', 'ftp://x.org', 'smtp://mail.example.com', 'x.org?q'],
      ['example', 'javascript:alert(1)', 'http://', 'http://a b.com', 'x.c', '//x.org', 'http://x.org/a b'],
    ],
    ['number', isNumber, ['1', '-1', '1.5', '0'], ['', '1.', '.5', '1e5', '--1', 'a', '1,5', ' 1']],
  ] as const)(
    '[rule:form.email] [rule:form.phone] [rule:form.url] [rule:form.number] %s takes what it should and nothing else, however long [T-76]',
    (_name, fits, good, bad) => {
      for (const value of good) expect(fits(value), value).toBe(true)
      for (const value of bad) expect(fits(value), JSON.stringify(value)).toBe(false)
      for (const value of worst) expect(fits(value), value.slice(0, 20)).toBe(false)
    },
  )

  test('[rule:password.complex] a special character is none of letter, digit, space', () => {
    expect(['abc1', 'äöü', 'a b', '密码'].some(hasSpecialCharacter)).toBe(false)
    expect(['a-b', 'a_b', '!', 'a€', '🙂'].every(hasSpecialCharacter)).toBe(true)
  })
})
