import type { Page } from '@playwright/test'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { fillSignUp, signIn } from '../support/pages/sign-in.ts'
import { createOnboardedPerson, newEmail } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { appUrl } from '../support/urls.ts'

test('[entity:session-user] the browser stores the listed fields only', async ({ page }) => {
  const person = await createOnboardedPerson()
  await signIn(page, person)
  await expect(heading(page, 'Dashboard')).toBeVisible()
  const stored = await page.evaluate(() => ({ ...localStorage }))
  // The last one caches the sign-in providers, so that the page does not shift on the next visit.
  expect(Object.keys(stored).sort()).toEqual(['plinth.locale', 'plinth.session', 'plinth.social'])
  expect(Object.keys(JSON.parse(stored['plinth.session'] ?? '{}')).sort()).toEqual([
    'accounts',
    'avatar',
    'dark_mode',
    'locale',
    'name',
    'onboarded',
    'permission',
    'plan',
    'subscription',
    'token',
    'verified',
  ])
  expect(JSON.stringify(stored)).not.toContain(person.email)
  const tab = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
  expect(tab).not.toContain(person.password)
  // This cookie recognizes the browser, does not sign in, and is not readable by scripts.
  const cookies = await page.context().cookies()
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ['browser', true, 'Lax'],
  ])
})

test('[route:/signup/verify] [T-03] the token of a mailed link is removed from address and history before the first paint', async ({
  page,
}) => {
  const email = newEmail()
  await page.goto('/signup')
  await fillSignUp(page, { email })
  await button(page, 'Create account').click()
  // The mail can arrive before the browser has its session.
  await expectPath(page, '/signup/verify')
  const { url, token } = await waitForLink(email)
  const requests: string[] = []
  page.on('request', request => requests.push(`${request.headers().referer ?? ''} ${request.url()}`))
  await page.goto(url)
  await expect(button(page, 'Confirm my email address')).toBeVisible()
  expect(page.url()).toBe(`${appUrl}/signup/verify`)
  await button(page, 'Confirm my email address').click()
  await expectPath(page, '/signup/plan')
  // Only the page request itself contains the token.
  expect(requests.filter(line => line.includes(token))).toEqual([` ${url}`])
  await page.goBack()
  await expect(heading(page, 'Choose a plan')).toBeVisible()
  expect(page.url()).not.toContain(token)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
    token,
  )
})

test('[T-01] the content policy blocks scripts that were not served with the page', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowMessage(/Content Security Policy|TrustedScript|TrustedHTML/)
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  const policy = (await page.request.get('/dashboard')).headers()['content-security-policy'] ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe-(inline|eval)/)
  const ran = await page.evaluate(() => {
    const marks = window as { planted?: boolean } // as: a planted script would set this property
    const tries = [
      () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="planted=true">'),
      () => {
        const script = document.createElement('script')
        script.textContent = 'planted = true'
        document.body.append(script)
      },
      () => window.setTimeout('planted = true'),
    ]
    const refused = tries.filter(attempt => {
      try {
        attempt()
        return false
      } catch {
        return true
      }
    })
    return { refused: refused.length, planted: marks.planted ?? false }
  })
  expect(ran).toEqual({ refused: 3, planted: false })
})

test('[T-01] [V3.4.7] an injected script tag is blocked and reported to the server', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowMessage(/Content Security Policy/)
  const before = await countReports(page, 'script-src-elem')
  const reports: { 'csp-report': object }[] = []
  page.on(
    'request',
    request => request.url() === `${appUrl}/csp-report` && reports.push(request.postDataJSON()),
  )
  await page.route('/login', async route => {
    const response = await route.fetch()
    const body = (await response.text()).replace('</body>', '<script>planted = true</script></body>')
    await route.fulfill({ response, body })
  })
  await page.goto('/login')
  await expect(heading(page, 'Sign in')).toBeVisible()
  expect(await page.evaluate(() => Object.hasOwn(window, 'planted'))).toBe(false)
  await expect.poll(() => countReports(page, 'script-src-elem')).toBeGreaterThan(before)
  expect(reports).toEqual([
    {
      'csp-report': expect.objectContaining({
        'document-uri': `${appUrl}/login`,
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'inline',
      }),
    },
  ])
})

test('[T-01] typed text is shown as typed and never run', async ({ page }) => {
  const first = '<img src=x onerror=alert(1)>'
  await openAs(page, await createOnboardedPerson({ first }), '/dashboard')
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menu').getByText(`${first} Okafor`)).toBeVisible()
  await expect(page.locator('img[src=x]')).toHaveCount(0)
})

/** Number of policy reports about a directive, as counted by the server. */
async function countReports(page: Page, directive: string): Promise<number> {
  const metrics = await (await page.request.get('/metrics')).text()
  const line = metrics.split('\n').find(it => it.startsWith(`csp_reports_total{directive="${directive}"}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}
