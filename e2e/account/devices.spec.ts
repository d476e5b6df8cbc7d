import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { waitForMail } from '../support/mail.ts'
import { button, heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signIn, signOutByMenu } from '../support/pages/sign-in.ts'
import { createOnboardedPerson, updateUser } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const phone = { width: 390, height: 844 }
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

test('[screen:profile.devices] one browser ends the session of another, then all others, and stays signed in', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const person = await createOnboardedPerson()
  await openAs(page, person, '/account/profile')
  const devices = page.getByRole('region', { name: 'Devices' })
  await expect(devices.getByText('You’re not signed in anywhere else.')).toBeVisible()
  await expect(devices.getByText('This device')).toBeVisible()

  const other = await openOtherBrowser({ userAgent: iPhone, viewport: phone })
  await signIn(other, person)
  await expectPath(other, '/dashboard')
  await page.reload()
  const line = devices.getByRole('listitem').filter({ hasText: 'Safari on iPhone' })
  await expect(line).toContainText('Password')
  await expectAccessible(page, 'devices')

  await line.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(toast(page, 'Safari on iPhone signed out')).toBeVisible()
  await expect(line).toHaveCount(0)
  await other.goto('/account/profile')
  await expectPath(other, '/login')

  await signIn(other, person)
  await expectPath(other, /profile|dashboard/)
  const third = await openOtherBrowser()
  await signIn(third, person)
  await expectPath(third, '/dashboard')
  await page.reload()
  await expect(devices.getByRole('listitem')).toHaveCount(3)
  await button(page, 'Sign out all other devices').click()
  await page
    .getByRole('alertdialog', { name: 'Sign out 2 other devices?' })
    .getByRole('button', { name: 'Sign out' })
    .click()
  await expect(toast(page, '2 devices signed out')).toBeVisible()
  await expect(devices.getByText('You’re not signed in anywhere else.')).toBeVisible()
  for (const signedOut of [other, third]) {
    await signedOut.goto('/account/profile')
    await expectPath(signedOut, '/login')
  }
  await page.reload()
  await expect(heading(page, 'Profile')).toBeVisible()
})

test('[screen:profile.devices] [i18n:locale] the list of devices in German on a phone', async ({
  openOtherBrowser,
}) => {
  const person = await createOnboardedPerson({ language: 'de' })
  await callApi('POST', '/api/auth', { body: { email: person.email, password: person.password } })
  const page = await openOtherBrowser({ viewport: phone, locale: 'de-DE' })
  await openAs(page, person, '/account/profile')
  const devices = page.getByRole('region', { name: 'Geräte' })
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByText('Dieses Gerät')).toBeVisible()
  await expectAccessible(page, 'Geräte')
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBe(phone.width)
  await button(page, 'Alle anderen Geräte abmelden').click()
  await page
    .getByRole('alertdialog', { name: '1 anderes Gerät abmelden?' })
    .getByRole('button', { name: 'Abmelden' })
    .click()
  await expect(page.getByRole('listitem').filter({ hasText: '1 Gerät abgemeldet' })).toBeVisible()
})

/** Signs in from another network: the test server trusts X-Forwarded-For from this machine. */
async function signInFromNetwork(person: { email: string; password: string }, ip: string) {
  const { data } = await callApi<{ token: string }>('POST', '/api/auth', {
    body: { email: person.email, password: person.password },
    from: ip,
  })
  return data.token
}

const secretLink = (links: string[]) => links.find(link => link.includes('/signin/end?token=')) ?? ''
const isSessionActive = async (token: string) =>
  (await callApi<{ authenticated: boolean }>('GET', '/api/auth', { token })).data.authenticated

test('[route:/signin/end] the link in the mail about a new device asks first, ends all sessions, and works once', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const person = await createOnboardedPerson()
  const token = await signInFromNetwork(person, '198.51.100.7')
  const mail = await waitForMail(person.email, person.lastMail)
  expect(mail.subject).toBe('A new device signed in')
  expect(mail.text).toContain('198.51.100.x')

  // Opening the link signed out does not use it up.
  await page.goto(secretLink(mail.links))
  await expect(heading(page, 'Wasn’t that you?')).toBeVisible()
  await expect(page).toHaveURL(/\/signin\/end$/)
  await expectAccessible(page, 'end a sign-in')
  expect(await isSessionActive(token)).toBe(true)
  await button(page, 'Sign out all devices').click()
  await expect(page.getByText('All devices are signed out')).toBeVisible()
  await expectAccessible(page, 'ended')
  expect(await isSessionActive(token)).toBe(false)
  expect(await isSessionActive(person.user.token)).toBe(false)

  await page.goto(secretLink(mail.links))
  await button(page, 'Sign out all devices').click()
  await expect(page.getByText('This Link No Longer Works')).toBeVisible()
  await expectAccessible(page, 'an invalid link')
  await page.getByRole('link', { name: 'See my devices' }).click()
  await expectPath(page, '/login')
})

test('[route:/signin/end] [i18n:locale] the new-device link in German on a phone, while signed in', async ({
  openOtherBrowser,
}) => {
  const person = await createOnboardedPerson({ language: 'de' })
  const token = await signInFromNetwork(person, '198.51.100.8')
  const mail = await waitForMail(person.email, person.lastMail)
  expect(mail.subject).toBe('Ein neues Gerät hat sich angemeldet')
  const page = await openOtherBrowser({ viewport: phone, locale: 'de-DE' })
  await openAs(page, person, secretLink(mail.links))
  await expectAccessible(page, 'Gerät abmelden')
  await button(page, 'Alle Geräte abmelden').click()
  await expect(page.getByText('Alle Geräte sind abgemeldet')).toBeVisible()
  expect(await isSessionActive(token)).toBe(false)
  expect(await isSessionActive(person.user.token)).toBe(false)
  await page.goto('/dashboard')
  await expectPath(page, '/login')
})

test('[state:sign-out] T-08 offline sign-out clears both tabs, and the server ends the session afterwards', async ({
  page,
  context,
  consoleGuard,
}) => {
  // The files of the sign-in page cannot be loaded either.
  consoleGuard.allowMessage(
    /ERR_INTERNET_DISCONNECTED|Failed to fetch|did not answer|Unable to preload|could not be fetched/,
  )
  const person = await createOnboardedPerson()
  await openAs(page, person, '/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/account/profile')
  await expect(heading(other, 'Profile')).toBeVisible()

  await context.setOffline(true)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign out' }).click()
  await expectPath(page, '/login')
  await expectPath(other, '/login')
  for (const tab of [page, other])
    expect(await tab.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      person.user.token,
    )
  expect(await isSessionActive(person.user.token)).toBe(true)
  await context.setOffline(false)
  await expect.poll(() => isSessionActive(person.user.token)).toBe(false)
})

test('[state:sign-out] T-08 sign-out clears the browser’s storage; a sign-in right after it stays signed in', async ({
  page,
}) => {
  const person = await createOnboardedPerson()
  await updateUser(person.user, { dark_mode: true })
  await openAs(page, person, '/dashboard')
  const signOutReply = page.waitForResponse(answer => answer.request().method() === 'DELETE')
  await signOutByMenu(page)
  expect(await (await signOutReply).headerValue('clear-site-data')).toBe('"storage"')
  await signIn(page, person)
  await expectPath(page, '/dashboard')
  await page.reload()
  await expect(heading(page, 'Dashboard')).toBeVisible()
})
