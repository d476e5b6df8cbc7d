import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import {
  createOnboardedPerson,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
  demoEmail,
  type Person,
  signInByApi,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const protectedPaths = ['/signup/verify', '/signup/plan', '/welcome', '/dashboard', '/account/profile']

test('[state:access.no-token] [route:permission_denied] a signed-out visitor is sent to the sign-in from every screen', async ({
  page,
}) => {
  for (const path of protectedPaths) {
    await page.goto(path)
    await expectPath(page, '/login')
    await expect(heading(page, 'Sign in')).toBeVisible()
  }
})

type Rule = {
  who: string
  person: () => Promise<Person>
  /** The screen a path leads to for this person; null when it opens. */
  targets: Record<string, string | null>
  /** Statuses of requests sent before the browser knows that the screen is not allowed. */
  statuses?: number[]
}
const rules: Rule[] = [
  {
    who: '[state:access.unverified] an unverified person',
    person: () => createUnverifiedPerson(),
    targets: {
      '/signup/verify': null,
      '/account/profile': null,
      '/signup/plan': '/signup/verify',
      '/welcome': '/signup/verify',
      '/dashboard': '/signup/verify',
      '/login': '/signup/verify',
    },
  },
  {
    who: '[state:access.no-plan] a person without a plan',
    person: () => createVerifiedPerson(),
    targets: {
      '/signup/plan': null,
      '/account/profile': null,
      '/signup/verify': '/signup/plan',
      '/welcome': '/signup/plan',
      '/dashboard': '/signup/plan',
      '/': '/signup/plan',
    },
  },
  {
    who: '[state:after-sign-in.not-onboarded] a new person',
    person: () => createPersonWithPlan(),
    targets: {
      '/': '/welcome',
      '/dashboard': null,
      '/account/profile': null,
      '/signup/verify': '/dashboard',
    },
  },
  {
    who: '[state:access.verified-on-verify] an owner',
    person: () => createOnboardedPerson(),
    targets: { '/signup/verify': '/dashboard', '/signup/plan': null, '/login': '/dashboard' },
  },
  {
    who: '[state:access.subscription] an owner whose payment failed',
    person: () => signInByApi(demoEmail('failed-payment')),
    targets: { '/dashboard': '/account/billing', '/signup/plan': null, '/account/profile': null },
  },
  {
    who: '[role:admin] an admin',
    person: () => signInByApi(demoEmail('admin')),
    targets: { '/signup/plan': '/dashboard', '/welcome': null, '/account/profile': null },
  },
  {
    who: '[role:developer] a developer',
    person: () => signInByApi(demoEmail('developer')),
    targets: { '/signup/plan': '/dashboard', '/dashboard': null },
  },
  {
    who: '[role:user] a user',
    person: () => signInByApi(demoEmail('user')),
    targets: { '/signup/plan': '/dashboard', '/dashboard': null },
  },
  {
    who: 'a master without a second factor',
    person: () => signInByApi(demoEmail('master')),
    targets: { '/signup/plan': '/account/2fa', '/dashboard': '/account/2fa', '/account/2fa': null },
    statuses: [403],
  },
]

for (const { who, person, targets, statuses = [] } of rules) {
  test(`[state:guard] ${who} is sent to the screen that the rules define`, async ({ page, consoleGuard }) => {
    consoleGuard.allowStatus(...statuses)
    await openAs(page, await person(), '/account/profile')
    for (const [path, target] of Object.entries(targets)) {
      await page.goto(path)
      await expectPath(page, target ?? path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const forbidden = toast(page, 'You don’t have permission to see that page')
      await expect(forbidden).toHaveCount(path === '/signup/plan' && target === '/dashboard' ? 1 : 0)
    }
  })
}

test('[role:admin-only] [role:owner-only] the server refuses calls that the screens do not offer', async () => {
  const ask = async (name: string, method: string, path: string, body?: unknown) => {
    const { user } = await signInByApi(demoEmail(name))
    return (await callApi(method, path, { token: user.token, body })).status
  }
  const invite = { email: 'x@y.example', permission: 'user' }
  expect(await ask('developer', 'POST', '/api/invite', invite)).toBe(403)
  expect(await ask('user', 'POST', '/api/invite', invite)).toBe(403)
  expect(await ask('admin', 'GET', '/api/account/plans')).toBe(403)
  expect(await ask('unverified', 'GET', '/api/demo')).toBe(403)
  expect(await ask('canceled', 'GET', '/api/demo')).toBe(402)
})

test('[route:unknown] [route:/404] [route:/notfound] [screen:404] an unknown address shows the 404 page with a link', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(404)
  for (const path of ['/nowhere/at/all', '/404', '/notfound']) {
    await page.goto(path)
    await expect(heading(page, 'There’s nothing here')).toBeVisible()
    await expect(page).toHaveTitle('Page not found · Plinth')
  }
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expectPath(page, '/login')
})
