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

/** Those of the payloads that can stand before the @ of an address, which is kept in small letters. */
const addresses = ['$' + '{__pwned=1}', '#{__pwned=1}', '%3Cscript%3E__pwned=1%3C/script%3E']

/** Where several names stand at once, of people and of things, and which. */
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

test(`[T-01] [T-02] ${payloads.length} payloads in every field that keeps a text, on every screen as every role, and in the mails: nothing runs, and no report says that something tried`, async ({
  openOtherBrowser,
  consoleGuard,
}) => {
  // What support may not see of somebody, and what is no secret of an invite.
  consoleGuard.allowStatus(403, 422)
  // A server of its own: nobody else's reports are counted, and its demo people are nobody else's.
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
        await enter(page, people[role])
        await walk(page, role)
      })
    await test.step('support as the owner', async () => {
      const support = await enableTwoFactor(await signInByApi(demoEmail('support'), demoPassword, origin))
      await enter(page, support)
      await page.goto(await createSupportLink(support, people.owner))
      await expect(page.getByRole('complementary', { name: 'Support session' })).toBeVisible()
      await walk(page, 'owner')
    })
    await test.step('lists, and what is in them', () => lookThrough(page, people))
    const invited = await inviteWithPayloadName(people.master)
    await test.step('whoever is not signed in', async () => visit(await open(), invited))
    await test.step('the mails', () => readMails(page, people, invited))

    const count = async () => (await fetch(`${origin}/metrics`)).text()
    expect(reports).toEqual([])
    expect(await count()).not.toContain('csp_reports_total{')
    // The same look finds what does try.
    consoleGuard.allowMessage(/TrustedHTML/)
    await page.goto('/login')
    await waitForScreen(page)
    const forced = page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<script>1</script>'))
    await expect(forced).rejects.toThrow('TrustedHTML')
    await expect.poll(count).toContain('csp_reports_total{directive="require-trusted-types-for"} 1')
    expect(reports).toEqual([`${origin}/csp-report`])
  })
})

/** As somebody who is signed in: behind the avatar stand both names. */
async function enter(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/dashboard')
  await waitForScreen(page)
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectNoInjection(page, { tryAllNames: true })
  await page.keyboard.press('Escape')
}

/** Screens that have nothing to show, and where they lead. */
const instead: Record<string, string> = { '/signup/verify': '/dashboard', '/account/apikeys/edit': '/404' }

async function walk(page: Page, role: Role | null): Promise<void> {
  for (const { path, needs } of screensOfRole(role)) {
    await navigate(page, path)
    if (needs) await expectPath(page, instead[path] ?? path)
    await expectNoInjection(page)
  }
}

async function lookThrough(page: Page, people: PeopleByRole): Promise<void> {
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

/** By an invite; to every public screen; and with each payload in all that a screen reads from its address. */
async function visit(page: Page, invited: string): Promise<void> {
  await page.goto((await waitForLink(invited)).url)
  await waitForScreen(page)
  const inviter = roles.indexOf('master')
  await expectShown(page, [
    `Join ${payloadNames.at(-1)}`,
    `${payloadName(inviter)} ${payloadName(inviter + 1)} invited you`,
  ])
  await walk(page, null)
  const read = ['error', 'provider', 'email', 'domain', 'connection', 'id', 'plan', 'token']
  const ask = async (path: string, text: string) => {
    await navigate(page, `${path}?${new URLSearchParams(read.map(name => [name, text]))}`)
    await expectNoInjection(page)
  }
  for (const name of payloadNames) await ask('/signup/user', name)
  for (const payload of payloads) {
    // Come from elsewhere: a screen reads its address when it begins.
    await ask('/login/saml', payload)
    await ask('/login', payload)
    // The screen has read it and taken it out of the address: what it says of it is a text of ours.
    expect(new URL(page.url()).searchParams.has('error')).toBe(false)
    expect(await page.evaluate(() => document.body.textContent)).not.toContain(payload)
  }
}

/** In the sandbox's inbox: as HTML, as text, with the headers. */
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
