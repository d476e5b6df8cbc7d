import type { Page } from '@playwright/test'
import type { Role } from '@plinth/contract/roles'
import { withSecondFactor } from './support/authenticator-app.ts'
import { waitForLink, waitForMails } from './support/mail.ts'
import { withServer } from './support/own-server.ts'
import {
  addPasskeys,
  fill,
  invite,
  inviteAll,
  keysOf,
  type People,
  roles,
  supportLink,
} from './support/payload-fields.ts'
import { expectShown, expectUnharmed } from './support/payload-walk.ts'
import { nameAt, names, payloads, unspaced } from './support/payloads.ts'
import { call, demo, demoPassword, type Person, signedIn } from './support/people.ts'
import { sandbox } from './support/places.ts'
import { arrived, follow, screensOf } from './support/screens.ts'
import { button, expectAt, openAs } from './support/steps.ts'
import { playStripe, stripeHosts } from './support/stripe.ts'
import { expect, test } from './support/test.ts'

test.describe.configure({ timeout: 240_000 })

/** Those of the payloads that can stand before the @ of an address, which is kept in small letters. */
const addresses = ['$' + '{__pwned=1}', '#{__pwned=1}', '%3Cscript%3E__pwned=1%3C/script%3E']

/** Where several names stand at once, of people and of things, and which. */
const lists: [string, readonly string[]][] = [
  ['/account/users', names],
  ['/account/users?status=verified', [0, 1, 2, 3].map(nameAt)],
  ['/account/users?status=registered', names.slice(4)],
  ['/account/users?status=invited', addresses.map(address => `${address}@`.toLowerCase())],
  ['/account/users?search=%3Cscript%3E', ['<script>']],
  ['/account/audit?what=account', names],
  ['/account/audit?what=api_key', names],
  ['/account/audit?what=invite', addresses.map(address => `${address}@`.toLowerCase())],
  ['/account/audit?what=passkey', [nameAt(0)]],
  ['/account/audit?search=%3Cscript%3E', ['<script>']],
  ['/account/apikeys', names],
  ['/account/apikeys?sort=name', names],
  ['/account/profile', names],
  ['/account/sso', [unspaced]],
]

test(`[T-01] [T-02] ${payloads.length} payloads in every field that keeps a text, on every screen as every role, and in the mails: nothing runs, and no report says that something tried`, async ({
  elsewhere,
  watch,
}) => {
  // What support may not see of somebody, and what is no secret of an invite.
  watch.allow(403, 422)
  // A server of its own: nobody else's reports are counted, and its demo people are nobody else's.
  const env = { SANDBOX: '1', SANDBOX_PORT: new URL(sandbox).port, TRUST_PROXY: 'loopback' }
  await withServer(env, async ({ origin }) => {
    watch.allowHost(new URL(origin).host, ...stripeHosts)
    const reports: string[] = []
    const open = async () => {
      const page = await elsewhere({ baseURL: origin })
      page.setDefaultTimeout(20_000)
      await playStripe(page.context())
      page
        .context()
        .on('request', request => request.url().endsWith('/csp-report') && reports.push(request.url()))
      return page
    }
    const page = await open()

    const people = await fill(origin)
    expect(await inviteAll(people.owner)).toEqual(addresses)
    await addPasskeys(page, people.owner)

    for (const role of roles)
      await test.step(role, async () => {
        await enter(page, people[role])
        await walk(page, role)
      })
    await test.step('support as the owner', async () => {
      const support = await withSecondFactor(await signedIn(demo('support'), demoPassword, origin))
      await enter(page, support)
      await page.goto(await supportLink(support, people.owner))
      await expect(page.getByRole('complementary', { name: 'Support session' })).toBeVisible()
      await walk(page, 'owner')
    })
    await test.step('lists, and what is in them', () => lookThrough(page, people))
    const invited = await invite(people.master)
    await test.step('whoever is not signed in', async () => visit(await open(), invited))
    await test.step('the mails', () => readMails(page, people, invited))

    const count = async () => (await fetch(`${origin}/metrics`)).text()
    expect(reports).toEqual([])
    expect(await count()).not.toContain('csp_reports_total{')
    // The same look finds what does try.
    watch.allowLine(/TrustedHTML/)
    await page.goto('/login')
    await arrived(page)
    const forced = page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<script>1</script>'))
    await expect(forced).rejects.toThrow('TrustedHTML')
    await expect.poll(count).toContain('csp_reports_total{directive="require-trusted-types-for"} 1')
    expect(reports).toEqual([`${origin}/csp-report`])
  })
})

/** As somebody who is signed in: behind the avatar stand both names. */
async function enter(page: Page, person: Person): Promise<void> {
  await openAs(page, person, '/dashboard')
  await arrived(page)
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectUnharmed(page, { named: true })
  await page.keyboard.press('Escape')
}

/** Screens that have nothing to show, and where they lead. */
const instead: Record<string, string> = { '/signup/verify': '/dashboard', '/account/apikeys/edit': '/404' }

async function walk(page: Page, role: Role | null): Promise<void> {
  for (const { path, needs } of screensOf(role)) {
    await follow(page, path)
    if (needs) await expectAt(page, instead[path] ?? path)
    await expectUnharmed(page)
  }
}

async function lookThrough(page: Page, people: People): Promise<void> {
  await openAs(page, people.owner, '/dashboard')
  await arrived(page)
  for (const [address, texts] of lists) {
    await follow(page, address)
    await expectShown(page, texts)
    await expectUnharmed(page)
  }
  const keys = await keysOf(people.owner)
  for (const [n, id] of keys.entries()) {
    await follow(page, `/account/apikeys/edit?id=${id}`)
    await expectShown(page, [nameAt(keys.length - 1 - n)])
    await expectUnharmed(page)
  }
}

/** By an invite; to every public screen; and with each payload in all that a screen reads from its address. */
async function visit(page: Page, invited: string): Promise<void> {
  await page.goto((await waitForLink(invited)).url)
  await arrived(page)
  const inviter = roles.indexOf('master')
  await expectShown(page, [`Join ${names.at(-1)}`, `${nameAt(inviter)} ${nameAt(inviter + 1)} invited you`])
  await walk(page, null)
  const read = ['error', 'provider', 'email', 'domain', 'connection', 'id', 'plan', 'token']
  const ask = async (path: string, text: string) => {
    await follow(page, `${path}?${new URLSearchParams(read.map(name => [name, text]))}`)
    await expectUnharmed(page)
  }
  for (const name of names) await ask('/signup/user', name)
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
async function readMails(page: Page, people: People, invited: string): Promise<void> {
  const { data } = await call<{ support_email: string }>('GET', '/api/settings', { at: people.owner.at })
  await page.goto(sandbox)
  for (const to of [invited, people.owner.email, data.support_email]) {
    const mail = (await waitForMails(to, '0')).find(({ html }) => html.includes('__pwned'))
    expect(mail, `a mail to ${to} has a payload in it`).toBeDefined()
    await page.goto(`${sandbox}/#${mail?.id}`)
    await expect(page.locator('#subject')).toHaveText(mail?.subject ?? '')
    await page.frameLocator('iframe').locator('body').waitFor()
    for (const frame of page.frames()) expect(await frame.evaluate(() => '__pwned' in window)).toBe(false)
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await expectUnharmed(page)
    }
  }
}
