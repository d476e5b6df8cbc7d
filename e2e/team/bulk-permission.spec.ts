import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { button, toast } from '../support/pages/elements.ts'
import { chooseRowAction, dialog, expectFocusInList, row } from '../support/pages/table.ts'
import { createMember } from '../support/people/members.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[screen:users.bulk-permission] the permission of several users is changed at once, with a result for each', async ({
  page,
  openOtherBrowser,
}) => {
  const owner = await createOnboardedPerson()
  const [tomas, ines] = [await createMember(owner, 'admin'), await createMember(owner, 'user', 'Ines')]
  const bar = (on: Page) => on.getByRole('toolbar').getByRole('button', { name: 'Change permission' })
  await openAs(page, owner, '/account/users')
  for (const who of ['Mara Okafor', 'Tomas Ribeiro', 'Ines Ribeiro']) {
    await page.getByRole('checkbox', { name: `Select ${who}` }).focus()
    await page.keyboard.press('Space')
  }
  await bar(page).focus()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText('Change the permission of 2 users')
  const role = dialog(page).getByRole('combobox', { name: 'Permission' })
  await expect(role.getByRole('option')).toHaveText(['Administrator', 'Developer', 'User'])
  await expectAccessible(page, 'the dialog to change several permissions')
  await role.selectOption('Developer')
  await dialog(page).getByRole('button', { name: 'Change permission' }).press('Enter')
  await expect(dialog(page).getByText('Now Developer')).toHaveCount(2)
  await expect(dialog(page)).toContainText('You can’t change this permission')
  await expectAccessible(page, 'the results of the permission change')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeFocused()
  for (const { email } of [tomas, ines]) await expect(row(page, email)).toContainText('Developer')
  await expect(row(page, owner.email)).toContainText('Account Owner')

  const phone = await openOtherBrowser({ viewport: { width: 390, height: 844 } })
  await openAs(phone, owner, '/account/users')
  await phone.getByRole('checkbox', { name: 'Select Tomas Ribeiro' }).check()
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  // A toast appears above the toolbar and does not cover it.
  await chooseRowAction(phone, ines.email, 'Reset password')
  await dialog(phone).getByRole('button', { name: 'Send link' }).click()
  await expect(toast(phone, 'We sent a link')).toBeVisible()
  const boxOf = (part: Locator) => part.evaluate(element => element.getBoundingClientRect().toJSON())
  const [toastBox, toolbarBox] = [
    await boxOf(toast(phone, 'We sent a link')),
    await boxOf(phone.getByRole('toolbar')),
  ]
  expect(toastBox.bottom).toBeLessThanOrEqual(toolbarBox.top)
  await bar(phone).click()
  await dialog(phone).getByRole('combobox', { name: 'Permission' }).selectOption('User')
  await expectAccessible(phone, 'changing a permission on a phone')
  await dialog(phone).getByRole('button', { name: 'Change permission' }).click()
  await expect(dialog(phone)).toContainText('Now User')
  await button(phone, 'Done').click()
  await expect(row(phone, tomas.email)).not.toContainText('Developer')

  for (const who of ['Tomas Ribeiro', 'Ines Ribeiro'])
    await page.getByRole('checkbox', { name: `Select ${who}` }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete 2' }).click()
  await expect(row(page, tomas.email)).toHaveCount(0)
  await expectFocusInList(page)
})
