import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { waitForLink } from './support/mail.ts'
import { call, freshAddress, type Person, password, planned, settled, verified } from './support/people.ts'
import { button, expectAt, field, heading, labels, openAs, secret, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const addresses = (page: Page) => field(page, 'Email addresses')

test('[screen:onboarding.invite-step] [rule:invite.several] [rule:invite.email] [rule:permission.no-owner] [const:invite.default] several are invited at once, a bad address is named, and nothing goes out before it is gone', async ({
  page,
}) => {
  const [one, two] = [freshAddress('one'), freshAddress('two')]
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await openAs(page, await planned(), '/welcome?page=2')
  await button(page, 'Send invites').click()
  await expect(addresses(page)).toHaveAccessibleDescription('Enter at least one email address')

  // The addresses become chips as the button is pressed, and move it: the press counts all the same.
  await addresses(page).fill(`${one}, nobody, ${two}`)
  await button(page, 'Send invites').click()
  await expect(addresses(page)).toHaveAccessibleDescription(/^nobody is not a valid email address\./)
  expect(sent).toEqual([])
  const role = page.getByRole('combobox', { name: 'Permission' })
  await expect(role).toHaveValue('user')
  await expect(role.getByRole('option')).toHaveText(['Administrator', 'Developer', 'User'])

  await button(page, 'Remove nobody').click()
  await button(page, 'Send 2 invites').click()
  await expect(toast(page, '2 invites sent')).toBeVisible()
  await expect(page.getByText('2 people are invited')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(two)
  expect(sent).toEqual(['/api/invite'])
  await waitForLink(one)
  await waitForLink(two)

  await page.reload()
  await expect(page.getByText('2 people are invited')).toBeVisible()
})

for (const [role, name] of [
  ['user', 'User'],
  ['admin', 'Administrator'],
] as const) {
  test(`[route:/signup/user] [route:/signup/user?email=&id=] [role:admin-only] who is invited as ${role} joins with the address filled in and finds the steps of the role`, async ({
    page,
    elsewhere,
  }) => {
    const invited = freshAddress(role)
    await openAs(page, await planned(), '/welcome?page=2')
    await addresses(page).fill(invited)
    await page.getByRole('combobox', { name: 'Permission' }).selectOption(name)
    await button(page, /^Send/).click()
    await expect(page.getByText('1 person is invited')).toBeVisible()

    const { url } = await waitForLink(invited)
    const guest = await elsewhere()
    await guest.goto(url)
    await expect(heading(guest, 'Join Mara’s account')).toBeVisible()
    await expect(field(guest, labels.email)).toHaveValue(invited)
    await field(guest, labels.first).fill('Tomas')
    await field(guest, labels.last).fill('Lindqvist')
    await secret(guest, labels.password).fill(password)
    await secret(guest, labels.again).fill(password)
    await button(guest, 'Join').click()
    await expectAt(guest, '/welcome')
    await expect(heading(guest, 'Welcome, Tomas')).toBeVisible()
    const steps = guest.getByRole('navigation', { name: 'Steps' }).getByRole('button')
    await expect(steps).toHaveCount(role === 'admin' ? 2 : 1)
    await button(guest, role === 'admin' ? 'Next' : 'Finish').click()
    if (role === 'admin') await button(guest, 'Finish').click()
    await expectAt(guest, '/dashboard')
  })
}

test('[route:/signup/user] a link that was used or is incomplete says what to do', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(422)
  const invited = freshAddress()
  await openAs(page, await planned(), '/welcome?page=2')
  await addresses(page).fill(invited)
  await button(page, /^Send/).click()
  const { url } = await waitForLink(invited)

  const guest = await elsewhere()
  await guest.goto('/signup/user')
  await expect(guest.getByText('This invite link is incomplete')).toBeVisible()
  const spoiled = new URL(url)
  spoiled.searchParams.set('id', 'spoiled')
  await guest.goto(spoiled.href)
  await expect(guest.getByText('This invite doesn’t work any more')).toBeVisible()
  await guest.getByRole('link', { name: 'Sign in' }).click()
  await expectAt(guest, '/login')
})

/** An invite of somebody's to an address, and its link. */
async function invitedBy(owner: Person, email: string, after = '0') {
  const { token } = owner.user
  await call('POST', '/api/invite', { token, body: { email, permission: 'admin' } })
  return waitForLink(email, after, '/signup/user')
}

test('[route:/signup/user] who has a user signs in and joins; the other account stays', async ({
  page,
  watch,
}) => {
  watch.allow(409)
  const [owner, guest] = [await settled({ first: 'Ada' }), await settled()]
  const { url } = await invitedBy(owner, guest.email, guest.lastMail)
  await page.goto(url)
  await expect(heading(page, 'Join Ada’s account')).toBeVisible()
  await expect(page.getByText('Ada Okafor invited you. Your permission: Administrator.')).toBeVisible()
  await expectAccessible(page, 'an invite of somebody who has a user')
  await button(page, 'Sign in to join').click()
  await expectAt(page, '/login')
  await expect(field(page, labels.email)).toHaveValue(guest.email)
  await secret(page, labels.password).fill(guest.password)
  await button(page, 'Login').click()
  await button(page, 'Join Ada’s account').dblclick()
  await expect(toast(page, 'You joined Ada’s account')).toBeVisible()
  await expectAt(page, '/dashboard')
  await button(page, 'Your menu').click()
  await expect(page.getByRole('menuitemcheckbox', { name: /Mara’s account/ })).toBeVisible()
  const { data } = await call<{ users: unknown[] }>('GET', '/api/account/users', { token: owner.user.token })
  expect(data.users).toHaveLength(2)
  await page.goto(url)
  await expect(page.getByText('You have joined with this invite already')).toBeVisible()
  await expectAccessible(page, 'a used invite')
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await expectAt(page, '/dashboard')
})

test('somebody who signed in and has no plan yet of their own comes back to the invite', async ({ page }) => {
  const [owner, guest] = [await settled({ first: 'Ada' }), await verified()]
  const { url } = await invitedBy(owner, guest.email, guest.lastMail)
  await page.goto(url)
  await button(page, 'Sign in to join').click()
  await secret(page, labels.password).fill(guest.password)
  await button(page, 'Login').click()
  await button(page, 'Join Ada’s account').click()
  // They see the steps of a newcomer: they never were in any account.
  await expectAt(page, '/welcome')
})

test('an invite for somebody else signs nobody out without a word, in German on a phone', async ({
  elsewhere,
}) => {
  const [owner, other] = [await settled({ first: 'Ada' }), await settled({ language: 'de' })]
  const invited = freshAddress('ines')
  const { url } = await invitedBy(owner, invited)
  const phone = await elsewhere({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  await openAs(phone, other, url)
  await expect(phone.getByText(`Diese Einladung ist für ${invited}.`)).toBeVisible()
  await expectAccessible(phone, 'an invite for somebody else')
  await button(phone, 'Abmelden und weiter').click()
  await expect(phone.getByLabel('E-Mail-Adresse', { exact: true })).toHaveValue(invited)
  await expectAccessible(phone, 'joining as somebody new')
  await phone.getByLabel('Vorname').fill('Inês')
  await phone.reload()
  await expect(phone.getByLabel('Vorname')).toHaveValue('Inês')
  const { data } = await call<{ authenticated: boolean }>('GET', '/api/auth', { token: other.user.token })
  expect(data.authenticated).toBe(false)
})
