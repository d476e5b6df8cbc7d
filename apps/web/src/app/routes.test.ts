import { grants, type Role, roles } from '@plinth/contract/roles'
import { describe, expect, test } from 'vitest'
import { sessionUser } from '../../test/people.ts'
import { paths } from '../lib/paths.ts'
import type { Session } from '../lib/session/store.ts'
import { redirectOf } from './guard.ts'
import { navigationOf, sectionOf } from './navigation.ts'
import { isNotFound, isOpen, type Route, routeOf, routes } from './routes.ts'

/** The specified routes, written by hand so that a change of the route table is deliberate. */
const specified: Array<[path: string, layout: string, needs?: Role]> = [
  ['/', 'auth'],
  ['/login', 'auth'],
  ['/signup', 'auth'],
  ['/signup/verify', 'auth', 'user'],
  ['/signup/plan', 'auth', 'owner'],
  ['/signup/user', 'auth'],
  ['/login/otp', 'auth'],
  ['/login/social', 'auth'],
  ['/login/saml', 'auth'],
  ['/login/saml/callback', 'auth'],
  ['/magic', 'auth'],
  ['/forgotpassword', 'auth'],
  ['/resetpassword', 'auth'],
  ['/signin/impersonate', 'auth'],
  ['/dashboard', 'app', 'user'],
  ['/welcome', 'onboarding', 'user'],
  ['/help', 'app', 'user'],
  ['/account', 'app', 'user'],
  ['/account/profile', 'account', 'user'],
  ['/account/password', 'account', 'user'],
  ['/account/2fa', 'account', 'user'],
  ['/account/notifications', 'account', 'user'],
  ['/account/billing', 'account', 'owner'],
  ['/account/upgrade', 'account', 'owner'],
  ['/account/sso', 'account', 'owner'],
  ['/account/users', 'account', 'admin'],
  ['/account/audit', 'account', 'admin'],
  ['/account/apikeys', 'account', 'developer'],
  ['/account/apikeys/create', 'account', 'developer'],
  ['/account/apikeys/edit', 'account', 'developer'],
]

test.each(specified)(
  '[route:%s] is in the table with layout %s and its permission',
  (path, layout, needs) => {
    expect(routeOf(path)).toMatchObject({ path, layout })
    expect(routeOf(path)?.needs).toBe(needs)
  },
)

test('[route:table] has no other routes than undo links and the 404 page', () => {
  const others = routes.map(route => route.path).filter(path => !specified.some(([known]) => known === path))
  expect(others).toEqual([paths.endSignIn, paths.undoEmail, paths.notFound, paths.notFoundToo])
  expect(new Set(routes.map(route => route.path)).size).toBe(Object.keys(paths).length)
})

test('ignores a trailing slash; an unknown path has no route', () => {
  expect(routeOf('/login/')?.path).toBe('/login')
  expect(routeOf('/nowhere')).toBeUndefined()
})

test('[route:view] a route with a view has a title', () => {
  expect(routes.filter(route => route.view && !route.title)).toEqual([])
})

const withView = (path: string): Route => {
  const never = () => new Promise<never>(() => undefined)
  const route = routeOf(path)
  if (!route) throw new Error(`No route for ${path}`)
  return route.view ? route : { ...route, view: { ready: () => null, load: never, show: never } }
}

describe('[state:guard] access by session', () => {
  test('without a session every non-public screen redirects to /login', () => {
    for (const [path, , needs] of specified) {
      expect([path, redirectOf(withView(path), null)]).toEqual([path, needs ? '/login' : null])
    }
  })

  test.each(roles)('a %s can open exactly the screens of the role', role => {
    const user = sessionUser({ permission: role })
    for (const [path, , needs] of specified.filter(([path]) => path !== '/' && path !== '/login')) {
      const expected =
        path === '/signup/verify' ? '/dashboard' : needs && !grants(role, needs) ? '/login' : null
      expect([path, redirectOf(withView(path), user)]).toEqual([path, expected])
    }
  })

  test.each(['/', '/login'])('opens the first screen instead of %s for a signed-in user', path => {
    expect(redirectOf(withView(path), sessionUser())).toBe('/dashboard')
    expect(redirectOf(withView(path), sessionUser({ verified: false }))).toBe('/signup/verify')
    expect(redirectOf(withView(path), sessionUser({ onboarded: false }))).toBe('/welcome')
  })

  test.each([
    [{ verified: false }, ['/account/profile', '/signup/verify'], '/signup/verify'],
    [{ plan: null }, ['/account/profile', '/signup/plan'], '/signup/plan'],
    [
      { subscription: 'canceled' },
      ['/account/billing', '/signup/plan', '/account/upgrade', '/account', '/account/profile'],
      '/account/billing',
    ],
  ])('%j may open only %j', (change, allowed, instead) => {
    const user = sessionUser(change)
    for (const [path] of specified.filter(([, , needs]) => needs)) {
      const verified = path === '/signup/verify' && user.verified
      const expected = verified ? '/dashboard' : allowed.includes(path) ? null : instead
      expect([path, redirectOf(withView(path), user)]).toEqual([path, expected])
    }
  })

  test.each(roles)(
    'a %s ends at an existing screen after the sign-in, in every payment state',
    permission => {
      for (const status of [
        null,
        'active',
        'trialing',
        'requires_payment_method',
        'requires_action',
        'canceled',
      ])
        for (const plan of [null, 'startup']) {
          const user = sessionUser({ permission, plan, subscription: status })
          const visited: string[] = [paths.login]
          for (let next: string | null = paths.login; next && visited.length < 10; ) {
            next = redirectOf(routeOf(next), user)
            if (next) visited.push(next)
          }
          expect(visited.length, visited.join(' > ')).toBeLessThanOrEqual(4)
          expect(isNotFound(routeOf(visited.at(-1) ?? '')), visited.join(' > ')).toBe(false)
        }
    },
  )

  test('the subscription does not restrict a master', () => {
    const user = sessionUser({ permission: 'master', subscription: 'canceled' })
    expect(redirectOf(withView('/dashboard'), user)).toBeNull()
  })
})

const shownTo = (user: Session) =>
  Object.values(navigationOf(user)).flatMap(part => part.map(({ path }) => path))

test('[nav:views] lists only existing screens that the user can open without a redirect', () => {
  for (const permission of roles)
    for (const change of [{}, { verified: false }, { plan: null }, { subscription: 'past_due' }]) {
      const user = sessionUser({ permission, ...change })
      for (const path of shownTo(user)) {
        expect(isOpen(path, permission)).toBe(true)
        expect(redirectOf(routeOf(path), user), `${permission} at ${path}`).toBeNull()
      }
    }
  expect(shownTo(sessionUser({ verified: false }))).toEqual([paths.profile])
  expect(shownTo(sessionUser({ subscription: 'past_due' }))).toEqual([
    paths.account,
    paths.profile,
    paths.billing,
  ])
  expect(isOpen(paths.profile, 'user')).toBe(true)
  expect(isOpen(paths.help, 'user')).toBe(true)
})

test('[nav:dropdown] the dropdown uses the first three segments of the path', () => {
  expect(sectionOf('/account/apikeys/edit')).toBe('/account/apikeys')
  expect(sectionOf('/account/profile')).toBe('/account/profile')
})
