import type { Page } from '@playwright/test'
import type { Role } from '@plinth/contract/roles'
import { callApi } from '../support/api.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForLink, waitForMails } from '../support/mail.ts'
import { button } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { navigate, screensOfRole, waitForScreen } from '../support/pages/screens.ts'
import { expectNoInjection, expectShown } from '../support/payloads/payload-check.ts'
import {
  addPasskeys,
  createSupportLink,
  fillDemoAccounts,
  invitePayloads,
  inviteWithPayloadName,
  listKeyIds,
  type PeopleByRole,
  roles,
} from '../support/payloads/payload-data.ts'
import { payloadName, payloadNames, payloads, payloadsWithoutSpaces } from '../support/payloads/payloads.ts'
import { mockStripe, stripeHosts } from '../support/payments/stripe-double.ts'
import { enableTwoFactor } from '../support/people/authenticator-app.ts'
import { demoEmail, demoPassword, type Person, signInByApi } from '../support/people/people.ts'
import { withSeparateServer } from '../support/server/separate-server.ts'
import { expect, test } from '../support/test.ts'
import { sandboxUrl } from '../support/urls.ts'

test.describe.configure({ timeout: 240_000 })

/** Payloads that are valid before the @ of an address, in lower case as the server stores it. */
const addresses = ['$' + '{__pwned=1}', '#{__pwned=1}', '%3Cscript%3E__pwned=1%3C/script%3E']

/** Screens that show several names, and the names. */
const lists: [string, readonly string[]][] = [
  ['/account/users', payloadNames],
  ['/account/users?status=verified', [0, 1, 2, 3].map(payloadName)],
  ['/account/users?status=registered', payloadNames.slice(4)],
  ['/account/users?status=invited', addresses.map(address => `${address}@`.toLowerCase())],
  ['/account/users?search=%3Cscript%3E', ['<script>']],
  ['/account/audit?what=account', payloadNames],
  ['/account/audit?what=api_key', payloadNames],
  ['/account/audit?what=invite', addresses.map(address => `${address}@`.toLowerCase())],
  ['/account/audit?what=passkey', [payloadName(0)]],
  ['/account/audit?search=%3Cscript%3E', ['<script>']],
  ['/account/apikeys', payloadNames],
  ['/account/apikeys?sort=name', payloadNames],
  ['/account/profile', payloadNames],
  ['/account/sso', [payloadsWithoutSpaces]],
]

test(`[T-01] [T-02] ${payloads.length} payloads in every stored text run on no screen of any role and in no mail`, async ({
  openOtherBrowser,
  consoleGuard,
}) => {
  // Support may not see everything, and payloads are not valid invite tokens.
  consoleGuard.allowStatus(403, 422)
  // A separate server: other tests send no policy reports to it and do not use its demo people.
  const env = { SANDBOX: '1', SANDBOX_PORT: new URL(sandboxUrl).port, TRUST_PROXY: 'loopback' }
  await withSeparateServer(env, async ({ origin }) => {
    consoleGuard.allowHost(new URL(origin).host, ...stripeHosts)
    const reports: string[] = []
    const open = async () => {
      const page = await openOtherBrowser({ baseURL: origin })
      page.setDefaultTimeout(20_000)
      await mockStripe(page.context())
      page
        .context()
        .on('request', request => request.url().endsWith('/csp-report') && reports.push(request.url()))
      return page
    }
    const page = await open()

    const people = await fillDemoAccounts(origin)
    expect(await invitePayloads(people.owner)).toEqual(addresses)
    await addPasskeys(page, people.owner)

    for (const role of roles)
      await test.step(role, async () => {
        await signInAs(page, people[role])
        await openAllScreens(page, role)
      })
    await test.step('support as the owner', async () => {
      const support = await enableTwoFactor(await signInByApi(demoEmail('support'), demoPassword, origin))
      await signInAs(page, support)
      await page.goto(await createSupportLink(support, people.owner))
      await expect(page.getByRole('complementary', { name: 'Support session' })).toBeVisible()
      await openAllScreens(page, 'owner')
    })
    await test.step('lists and their items', () => checkLists(page, people))
    const invited = await inviteWithPayloadName(people.master)
    await test.step('a signed-out visitor', async () => checkSignedOut(await open(), invited))
    await test.step('the mails', () => readMails(page, people, invited))

    const count = async () => (await fetch(`${origin}/metrics`)).text()
    expect(reports).toEqual([])
    expect(await count()).not.toContain('csp_reports_total{')
    // The check fails when a script does run.
    consoleGuard.allowMessage(/TrustedHTML/)
    await page.goto('/login')
    await waitForScreen(page)
    const forced = page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<script>1</script>'))
    await expect(forced).rejects.toThrow('TrustedHTML')
    await expect.poll(count).toContain('csp_reports_total{directive="require-trusted-types-for"} 1')
    expect(reports).toEqual([`${origin}/csp-report`])
  })
})

/** Signs in; the menu shows the names of person and account. */
async function signInAs(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/dashboard')
  await waitForScreen(page)
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectNoInjection(page, { tryAllNames: true })
  await page.keyboard.press('Escape')
}

/** Screens that redirect, and their targets. */
const redirects: Record<string, string> = { '/signup/verify': '/dashboard', '/account/apikeys/edit': '/404' }

async function openAllScreens(page: Page, role: Role | null): Promise<void> {
  for (const { path, needs } of screensOfRole(role)) {
    await navigate(page, path)
    if (needs) await expectPath(page, redirects[path] ?? path)
    await expectNoInjection(page)
  }
}

async function checkLists(page: Page, people: PeopleByRole): Promise<void> {
  await openAs(page, people.owner, '/dashboard')
  await waitForScreen(page)
  for (const [address, texts] of lists) {
    await navigate(page, address)
    await expectShown(page, texts)
    await expectNoInjection(page)
  }
  const keys = await listKeyIds(people.owner)
  for (const [n, id] of keys.entries()) {
    await navigate(page, `/account/apikeys/edit?id=${id}`)
    await expectShown(page, [payloadName(keys.length - 1 - n)])
    await expectNoInjection(page)
  }
}

/** Opens an invite, every public screen, and each screen with the payloads in its query. */
async function checkSignedOut(page: Page, invited: string): Promise<void> {
  await page.goto((await waitForLink(invited)).url)
  await waitForScreen(page)
  const inviter = roles.indexOf('master')
  await expectShown(page, [
    `Join ${payloadNames.at(-1)}`,
    `${payloadName(inviter)} ${payloadName(inviter + 1)} invited you`,
  ])
  await openAllScreens(page, null)
  const parameters = ['error', 'provider', 'email', 'domain', 'connection', 'id', 'plan', 'token']
  const openWithQuery = async (path: string, text: string) => {
    await navigate(page, `${path}?${new URLSearchParams(parameters.map(name => [name, text]))}`)
    await expectNoInjection(page)
  }
  for (const name of payloadNames) await openWithQuery('/signup/user', name)
  for (const payload of payloads) {
    // Leave first: a screen reads its query when it mounts.
    await openWithQuery('/login/saml', payload)
    await openWithQuery('/login', payload)
    // The screen has removed the query from the address and shows its own text instead.
    expect(new URL(page.url()).searchParams.has('error')).toBe(false)
    expect(await page.evaluate(() => document.body.textContent)).not.toContain(payload)
  }
}

/** Opens the mails in the inbox of the sandbox: HTML, text and headers. */
async function readMails(page: Page, people: PeopleByRole, invited: string): Promise<void> {
  const { data } = await callApi<{ support_email: string }>('GET', '/api/settings', {
    serverUrl: people.owner.serverUrl,
  })
  await page.goto(sandboxUrl)
  for (const to of [invited, people.owner.email, data.support_email]) {
    const mail = (await waitForMails(to, '0')).find(({ html }) => html.includes('__pwned'))
    expect(mail, `a mail to ${to} has a payload in it`).toBeDefined()
    await page.goto(`${sandboxUrl}/#${mail?.id}`)
    await expect(page.locator('#subject')).toHaveText(mail?.subject ?? '')
    await page.frameLocator('iframe').locator('body').waitFor()
    for (const frame of page.frames()) expect(await frame.evaluate(() => '__pwned' in window)).toBe(false)
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await expectNoInjection(page)
    }
  }
}
