import type { Locator, Page } from '@playwright/test'
import { callApi } from '../support/api.ts'
import { expectAccessible } from '../support/browser/axe.ts'
import { endSessionOnSubmit, openAs } from '../support/browser/session.ts'
import { waitForLink, waitForMail } from '../support/mail.ts'
import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { chooseRowAction, dialog, expectFocusInList, row } from '../support/pages/table.ts'
import { createMember } from '../support/people/members.ts'
import {
  createOnboardedPerson,
  demoEmail,
  newEmail,
  password,
  signInByApi,
} from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const names = (page: Page): Locator => page.locator('tbody tr b')

test('[route:/account/users] [screen:users.table] [screen:users.status-badges] [screen:users.create] [screen:users.invite-actions] [state:user.status] several users are invited at once; invites are resent and deleted', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(404)
  const owner = await createOnboardedPerson()
  const [one, two] = [newEmail('one'), newEmail('two')]
  await openAs(page, owner, '/account/users')
  await expect(heading(page, 'Users')).toBeVisible()
  await expect(row(page, owner.email)).toContainText('Mara Okafor')
  await expect(row(page, owner.email)).toContainText('Verified')
  await expect(page.getByText('1 of 3 seats in use.')).toBeVisible()
  await expectAccessible(page, 'a team of one')

  await button(page, 'Create user').click()
  await expect(dialog(page)).toContainText('You can add 2 more people')
  await expectAccessible(page, 'the dialog to create users')
  await field(page, 'Email addresses').fill(`${one}, ${owner.email}, ${two}`)
  await field(page, 'Email addresses').press('Enter')
  await button(page, 'Send 3 invites').dblclick()
  await expect(dialog(page)).toContainText('Already a member')
  await expect(dialog(page).getByText('Invite sent')).toHaveCount(2)
  await button(page, 'Done').click()
  await expect(button(page, 'Create user')).toBeFocused()
  await expect(row(page, one)).toContainText('Invited')
  await expect(page.getByText('1 of 3 seats in use, 2 more held by invites.')).toBeVisible()

  await button(page, 'Create user').click()
  await expect(dialog(page).getByText('All seats on your plan are taken')).toBeVisible()
  await expect(dialog(page).getByRole('link', { name: 'See the plans' })).toBeVisible()
  await expect(button(page, 'Send invites')).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Create user')).toBeFocused()

  const first = await waitForLink(one)
  await chooseRowAction(page, one, 'Resend invite')
  await expect(toast(page, 'Invite sent')).toBeVisible()
  const second = await waitForLink(one, first.mail.id)
  expect(second.token).not.toBe(first.token)

  const [again] = [await page.context().newPage()]
  await again.goto('/account/users')
  await expect(row(again, two)).toBeVisible()
  await chooseRowAction(page, two, 'Delete invite')
  await button(page, 'Delete invite').click()
  await expect(toast(page, 'Invite deleted')).toBeVisible()
  await expect(row(page, two)).toHaveCount(0)
  await expectFocusInList(page)
  // The other tab still shows the invite and resends it.
  await chooseRowAction(again, two, 'Delete invite')
  await button(again, 'Delete invite').click()
  await expect(toast(again, 'This was already done')).toBeVisible()
  await expect(row(again, two)).toHaveCount(0)
})

test('[state:create-user.bypass] [rule:create-user.confirm] [rule:password.complex-everywhere] a user created with a password confirms the address and sets a new password', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const owner = await createOnboardedPerson()
  const email = newEmail('bram')
  await openAs(page, owner, '/account/users')
  await button(page, 'Create user').click()
  await field(page, 'Email addresses').fill(email)
  await field(page, 'Email addresses').press('Enter')
  await page.getByRole('switch', { name: 'Set a password for them' }).click()
  await field(page, labels.first).fill('Bram')
  await field(page, labels.last).fill('Koster')
  await passwordField(page, labels.password).fill('given-one-1')
  await passwordField(page, labels.again).fill('given-two-2')
  await dialog(page).getByRole('button', { name: 'Create user' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await passwordField(page, labels.again).fill('given-one-1')
  await dialog(page).getByRole('button', { name: 'Create user' }).click()
  await expect(toast(page, 'User created')).toBeVisible()
  await expect(row(page, email)).toContainText('Registered')

  const guest = await openOtherBrowser()
  const { url } = await waitForLink(email)
  await guest.goto(url)
  await field(guest, labels.email).fill(email)
  await passwordField(guest, labels.password).fill('given-one-1')
  await button(guest, 'Login').click()
  await expect(guest.getByText(/^One more step before you join .+’s account\.$/)).toBeVisible()
  await button(guest, 'Confirm my email address').click()
  await expect(guest.getByText('Your first password was chosen for you.')).toBeVisible()
  await expectAccessible(guest, 'choosing a password of one’s own')
  await passwordField(guest, labels.password).fill('given-one-1')
  await passwordField(guest, labels.again).fill('given-one-1')
  await button(guest, 'Save and confirm').click()
  await expect(guest.getByText('That’s the password you were given.')).toBeVisible()
  await passwordField(guest, labels.password).fill('my-own-choice-7')
  await passwordField(guest, labels.again).fill('my-own-choice-7')
  await button(guest, 'Save and confirm').click()
  await expectPath(guest, '/welcome')
  await page.reload()
  await expect(row(page, email)).toContainText('Verified')
})

test('[screen:users.actions] [rule:permission.owner-hidden] [rule:permission.no-owner] [role:admin-only] an owner edits, transfers ownership and deletes; it takes effect for the member at once', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  consoleGuard.allowStatus(403)
  const owner = await createOnboardedPerson()
  const tomas = await createMember(owner, 'admin')
  const ines = await createMember(owner, 'user', 'Ines')
  const theirs = await openOtherBrowser()
  await openAs(theirs, tomas, '/account/users')
  await expect(row(theirs, owner.email)).toBeVisible()
  // An admin cannot change an owner.
  await row(theirs, owner.email)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await expect(theirs.getByRole('menuitem')).toHaveText(['Contact', 'Reset password'])
  await theirs.keyboard.press('Escape')

  await openAs(page, owner, '/account/users')
  await chooseRowAction(page, tomas.email, 'Edit')
  const role = page.getByRole('combobox', { name: 'Permission' })
  await expect(role.getByRole('option')).toHaveText(['Administrator', 'Developer', 'User'])
  await expect(field(page, labels.first)).not.toBeEditable()
  await expectAccessible(page, 'the dialog to edit a user')
  await role.selectOption('Developer')
  await button(page, 'Save').click()
  await expect(toast(page, 'User saved')).toBeVisible()
  await expect(row(page, tomas.email)).toContainText('Developer')
  await theirs.reload()
  await expectPath(theirs, '/dashboard')

  await chooseRowAction(page, ines.email, 'Reset password')
  await button(page, 'Send link').click()
  await expect(toast(page, `We sent a link to ${ines.email}`)).toBeVisible()
  await waitForLink(ines.email, ines.lastMail, '/resetpassword')

  await chooseRowAction(page, tomas.email, 'Delete')
  await expectAccessible(page, 'the dialog that confirms the deletion of a user')
  await page.keyboard.press('Escape')
  await expect(row(page, tomas.email)).toBeVisible()
  await chooseRowAction(page, tomas.email, 'Delete')
  await button(page, 'Delete user').click()
  await expect(toast(page, 'User deleted')).toBeVisible()
  await expect(row(page, tomas.email)).toHaveCount(0)
  await theirs.reload()
  await expectPath(theirs, '/login')

  await chooseRowAction(page, ines.email, 'Make owner')
  await button(page, 'Make owner').click()
  await expect(toast(page, 'Ines Ribeiro is now the owner')).toBeVisible()
  await expect(row(page, owner.email)).toContainText('Administrator')
  await expect(page.getByRole('link', { name: 'Billing' })).toHaveCount(0)
  expect((await waitForMail(ines.email, ines.lastMail)).subject).toBeTruthy()
})

test('[state:user.delete-self] a member leaves with the password and is signed out when there is no other account', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(422)
  const owner = await createOnboardedPerson()
  const admin = await createMember(owner, 'admin')
  await openAs(page, admin, '/account/users')
  await chooseRowAction(page, admin.email, 'Leave account')
  await passwordField(page, 'Your password').fill('not-my-password-1')
  await dialog(page).getByRole('button', { name: 'Leave account' }).click()
  await expect(dialog(page)).toContainText('That’s not your password.')
  await passwordField(page, 'Your password').fill(password)
  await dialog(page).getByRole('button', { name: 'Leave account' }).click()
  await expectPath(page, '/login')
  // The last owner can’t.
  await openAs(page, owner, '/account/users')
  await chooseRowAction(page, owner.email, 'Leave account')
  await expect(dialog(page)).toContainText('You’re the only owner.')
  await expect(passwordField(page, 'Your password')).toHaveCount(0)
})

for (const role of ['developer', 'user'] as const)
  test(`[route:permission_denied] [role:admin-only] a ${role} has no link to the team and cannot open it`, async ({
    page,
  }) => {
    const person = await signInByApi(demoEmail(role))
    await openAs(page, person, '/account')
    await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0)
    await page.goto('/account/users')
    await expectPath(page, '/dashboard')
  })

test('two hundred users are searched, sorted and paged; the address holds the state', async ({ page }) => {
  await openAs(page, await signInByApi(demoEmail('big-team')), '/account/users')
  await expect(page.getByText('Showing 1–50 of 200')).toBeVisible()
  const first = await names(page).allTextContents()
  await button(page, 'Next').click()
  await expect(page.getByText('Showing 51–100 of 200')).toBeVisible()
  expect(first).not.toContain((await names(page).allTextContents())[0])
  await page.reload()
  await expect(page.getByText('Showing 51–100 of 200')).toBeVisible()
  await button(page, 'Previous').click()
  await expect(page.getByText('Showing 1–50 of 200')).toBeVisible()
  expect(await names(page).allTextContents()).toEqual(first)
  await page.goBack()
  await expect(page.getByText('Showing 51–100 of 200')).toBeVisible()

  await button(page, 'Permission').click()
  await expect(page.getByRole('columnheader', { name: 'Permission' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expect(names(page).first()).toContainText('Priya Krishnan')
  await page.getByRole('searchbox', { name: 'Search users' }).fill('number 19')
  await expect(page.getByText('Showing 1–12 of 12')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search users' }).fill('nobody like this')
  await expect(page.getByText('No one matches “nobody like this”.')).toBeVisible()
  await expectAccessible(page, 'a search without a result')
  await button(page, 'Clear the search').click()
  await button(page, 'Status: All').click()
  await page.getByRole('menuitemcheckbox', { name: 'Invited' }).click()
  await expect(page.getByText('No Results')).toBeVisible()
})

test('input survives an expired session, and several rows are deleted at once', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(401)
  const owner = await createOnboardedPerson()
  const typed = newEmail('typed')
  await openAs(page, owner, '/account/users')
  await button(page, 'Create user').click()
  await field(page, 'Email addresses').fill(typed)
  await field(page, 'Email addresses').press('Enter')
  await endSessionOnSubmit(page, owner)
  await button(page, 'Send 1 invite').click()
  await expectPath(page, '/login')
  await field(page, labels.email).fill(owner.email)
  await passwordField(page, labels.password).fill(owner.password)
  await button(page, 'Login').click()
  await expectPath(page, '/account/users')
  await button(page, 'Create user').click()
  await expect(dialog(page).getByText(typed)).toBeVisible()
  await button(page, 'Send 1 invite').click()
  await expect(row(page, typed)).toBeVisible()

  await page.getByRole('checkbox', { name: `Select ${typed}` }).check()
  await expect(page.getByRole('toolbar')).toContainText('1 selected')
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await button(page, 'Delete 1').click()
  await expect(toast(page, '1 invite deleted')).toBeVisible()
  await expect(row(page, typed)).toHaveCount(0)
})

test('in German on a phone, long and right-to-left names fit and the dialog is a sheet', async ({
  openOtherBrowser,
}) => {
  const owner = await createOnboardedPerson({ language: 'de' })
  await callApi('POST', '/api/invite', {
    token: owner.user.token,
    body: {
      email: newEmail('maryam'),
      first_name: 'مريم عبد الرحمن',
      last_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
      bypass_signup: true,
      password: 'given-one-1',
      confirm_password: 'given-one-1',
    },
  })
  const phone = await openOtherBrowser({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  await openAs(phone, owner, '/account/users')
  await expect(phone.getByText('2 von 3 Plätzen belegt.')).toBeVisible()
  await expect(row(phone, 'مريم')).toContainText('Registriert')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(phone, 'a team on a phone')
  await button(phone, 'Benutzer anlegen').click()
  await phone.getByRole('switch', { name: 'Passwort festlegen' }).click()
  await expect(phone.getByLabel('Passwort bestätigen', { exact: true })).toBeVisible()
  await expectAccessible(phone, 'creating a user on a phone')
})
