import type { Page } from '@playwright/test'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createPersonWithPlan, newEmail, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const addresses = (page: Page) => field(page, 'Email addresses')

test('[screen:onboarding.invite-step] [rule:invite.several] [rule:invite.email] [rule:permission.no-owner] [const:invite.default] several people are invited at once; nothing is sent while an address is invalid', async ({
  page,
}) => {
  const [one, two] = [newEmail('one'), newEmail('two')]
  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await openAs(page, await createPersonWithPlan(), '/welcome?page=2')
  await button(page, 'Send invites').click()
  await expect(addresses(page)).toHaveAccessibleDescription('Enter at least one email address')

  // The press turns the last address into a chip, which moves the button; the press still counts.
  await addresses(page).fill(`${one}, nobody, ${two}`)
  await button(page, 'Send 1 invite').click()
  await expect(addresses(page)).toHaveAccessibleDescription(/^nobody is not a valid email address\./)
  expect(sent).toEqual([])
  const role = page.getByRole('combobox', { name: 'Permission' })
  await expect(role).toHaveValue('user')
  await expect(role.getByRole('option')).toHaveText(['Administrator', 'Developer', 'User'])

  await button(page, 'Remove nobody').click()
  await button(page, 'Send 2 invites').click()
  await expect(toast(page, '2 invites sent')).toBeVisible()
  await expect(page.getByText('2 people invited')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(two)
  expect(sent).toEqual(['/api/invite'])
  await waitForLink(one)
  await waitForLink(two)

  await page.reload()
  await expect(page.getByText('2 people invited')).toBeVisible()
})

for (const [role, name] of [
  ['user', 'User'],
  ['admin', 'Administrator'],
] as const) {
  test(`[route:/signup/user] [route:/signup/user?email=&id=] [role:admin-only] an invited ${role} joins with the address filled in and sees the steps of the role`, async ({
    page,
    openOtherBrowser,
  }) => {
    const invited = newEmail(role)
    await openAs(page, await createPersonWithPlan(), '/welcome?page=2')
    await addresses(page).fill(invited)
    await page.getByRole('combobox', { name: 'Permission' }).selectOption(name)
    await button(page, /^Send/).click()
    await expect(page.getByText('1 person invited')).toBeVisible()

    const { url } = await waitForLink(invited)
    const guest = await openOtherBrowser()
    await guest.goto(url)
    await expect(heading(guest, 'Join Mara’s account')).toBeVisible()
    await expect(field(guest, labels.email)).toHaveValue(invited)
    await field(guest, labels.first).fill('Tomas')
    await field(guest, labels.last).fill('Lindqvist')
    await passwordField(guest, labels.password).fill(password)
    await passwordField(guest, labels.again).fill(password)
    await button(guest, 'Join').click()
    await expectPath(guest, '/welcome')
    await expect(heading(guest, 'Welcome, Tomas')).toBeVisible()
    const steps = guest.getByRole('navigation', { name: 'Steps' }).getByRole('button')
    await expect(steps).toHaveCount(role === 'admin' ? 2 : 1)
    await button(guest, role === 'admin' ? 'Next' : 'Finish').click()
    if (role === 'admin') await button(guest, 'Finish').click()
    await expectPath(guest, '/dashboard')
  })
}
