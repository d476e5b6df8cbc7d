import { callApi } from '../support/api.ts'
import { clearBrowser, openAs } from '../support/browser/session.ts'
import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn } from '../support/pages/sign-in.ts'
import { createOnboardedPerson, demoEmail, demoPassword, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[screen:login.form] [text:login] [text:form.required] [text:form.email] [state:form.validates-first] missing or invalid fields show an error, and nothing is sent', async ({
  page,
}) => {
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/auth')
      sent.push(request.url())
  })
  await page.goto('/login')
  await button(page, 'Login').click()
  await expect(field(page, labels.email)).toHaveAccessibleDescription('Email is required')
  await expect(passwordField(page, labels.password)).toHaveAccessibleDescription('Password is required')
  await expect(field(page, labels.email)).toBeFocused()
  await field(page, labels.email).fill('mara@nowhere')
  await expect(field(page, labels.email)).toHaveAccessibleDescription('Enter a valid email address')
  expect(sent).toEqual([])
})

test('[screen:login.error-query] [T-07] a known error code in the address shows our text; an unknown one is not shown', async ({
  page,
}) => {
  await page.goto('/login?error=session_ended')
  await expect(toast(page, 'Your session has ended. Please sign in again.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)

  await page.goto('/login?error=Call+0800+1234+now')
  await expect(toast(page, 'Please try signing in again.')).toBeVisible()
  await expect(page.getByText('0800')).toHaveCount(0)
  await expect(page).toHaveURL(/\/login$/)
})

const landings = {
  owner: '/dashboard',
  admin: '/dashboard',
  developer: '/dashboard',
  user: '/dashboard',
  master: '/account/2fa',
  'no-plan': '/signup/plan',
  unverified: '/signup/verify',
  'failed-payment': '/account/billing',
  'needs-action': '/account/billing',
  canceled: '/account/billing',
  'big-team': '/dashboard',
}

test('[state:after-sign-in.complete] [state:after-sign-in.no-plan] [state:after-sign-in.unverified] [state:access.subscription] [state:access.master-exempt] each demo user lands on the screen for the state of the account', async ({
  openOtherBrowser,
}) => {
  const page = await openOtherBrowser()
  for (const [name, path] of Object.entries(landings)) {
    await test.step(name, async () => {
      await clearBrowser(page)
      await signIn(page, { email: demoEmail(name), password: demoPassword })
      await expectPath(page, path)
    })
  }
})

test('[state:sign-out] [menu:user] [state:tabs] signing out in one tab signs out the other; the back button shows no data', async ({
  page,
  context,
}) => {
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await page.goto('/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/account/profile')
  await expect(heading(other, 'Profile')).toBeVisible()

  const signOutReply = page.waitForResponse(answer => answer.request().method() === 'DELETE')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/login')
  await expectPath(other, '/login')
  expect((await signOutReply).ok()).toBe(true)
  expect((await callApi('GET', '/api/user', { token: person.user.token })).status).toBe(401)

  await page.goBack()
  await expectPath(page, '/login')
  await expect(page.getByText('Okafor')).toHaveCount(0)
  await expect(field(page, labels.email)).toHaveValue('')
})

test('[state:session-check] [error:401] a session ended elsewhere leads to the sign-in and back to the screen afterwards', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await createOnboardedPerson()
  await callApi('DELETE', '/api/auth', { token: person.user.token })
  await openAs(page, person, '/dashboard?search=ma')
  await expectPath(page, '/login')
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  await field(page, labels.email).fill(person.email)
  await passwordField(page, labels.password).fill(person.password)
  await button(page, 'Login').click()
  await expectPath(page, '/dashboard')
  await expect(page).toHaveURL(/search=ma/)
})

test('[role:user] [role:admin-only] [role:owner-only] [T-06] a role changed in the browser grants no access', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(403)
  const person = await signInByApi(demoEmail('user'))
  const forged = { ...person, user: { ...person.user, permission: 'master' as const } }
  await openAs(page, forged, '/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('plinth.session') ?? '{}').permission))
    .toBe('user')
  const { token } = person.user
  for (const [method, path, body] of [
    ['GET', '/api/account/plans', undefined],
    ['GET', '/api/account/subscription', undefined],
    ['POST', '/api/account/plan', { plan: 'free' }],
    ['POST', '/api/invite', { email: 'x@y.example', permission: 'admin' }],
    ['PATCH', '/api/user', { account_name: 'Mine now' }],
  ] as const) {
    expect((await callApi(method, path, { token, body })).status, `${method} ${path}`).toBe(403)
  }
  expect((await callApi('PATCH', '/api/user', { token, body: { permission: 'master' } })).status).toBe(422)
})
