import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { button, field, heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { demoEmail, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('the palette opens every allowed screen and action by keyboard and lists the shortcuts [shell:palette] [shell:shortcuts]', async ({
  page,
}) => {
  const { keyboard } = page
  await openAs(page, await signInByApi(demoEmail('owner')), '/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  const search = page.getByRole('combobox', { name: 'Search or jump to' })
  const options = page.getByRole('listbox', { name: 'Screens and actions' }).getByRole('option')

  // Closing the palette keeps the typed text and returns the focus to its field.
  const name = field(page, 'First name')
  await name.fill('Marée')
  await keyboard.press('ControlOrMeta+k')
  await expect(search).toBeFocused()
  await expectAccessible(page, 'the search')
  await keyboard.type('nichts?')
  await expect(page.getByText('Nothing matches “nichts?”')).toBeVisible()
  await expectAccessible(page, 'a search without a result')
  await keyboard.press('Escape')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Marée')
  await keyboard.press('?')
  await expect(name).toHaveValue('Marée?')

  await keyboard.press('ControlOrMeta+k')
  await keyboard.type('inv')
  await expect(options).toHaveText(['Invite a user', 'Billing / Invoices', 'Users / Invited'])
  await keyboard.press('End')
  await keyboard.press('Enter')
  await expectPath(page, /^\/account\/users\?status=invited$/)
  await expect(heading(page, 'Users')).toBeFocused()

  await keyboard.press('ControlOrMeta+k')
  await keyboard.type('invite')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Email addresses' })).toBeFocused()
  // No palette opens over a dialog with a focused field.
  await keyboard.press('ControlOrMeta+k')
  await expect(search).toHaveCount(0)
  await keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expectPath(page, /^\/account\/users$/)

  await heading(page, 'Users').focus()
  await keyboard.press('?')
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts).toBeVisible()
  await expectAccessible(page, 'the list of shortcuts')
  await keyboard.press('Escape')
  await expect(shortcuts).toHaveCount(0)
  await expect(heading(page, 'Users')).toBeFocused()

  await openAs(page, await signInByApi(demoEmail('user')), '/dashboard')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  await button(page, 'Search or jump to').click()
  await expect(search).toBeFocused()
  await expectAccessible(page, 'the search on a phone')
  await expect(options).toHaveText([
    'Give feedback',
    'Dark mode',
    'Keyboard shortcuts',
    'Sign out',
    'Dashboard',
    'Account',
    'Profile',
    'Password',
    'Two-factor',
    'Notifications',
    'Help',
  ])
  await options.filter({ hasText: 'Give feedback' }).click()
  await expect(page.getByRole('region', { name: 'How is Plinth working for you?' })).toBeFocused()
})
