import type { Page } from '@playwright/test'
import { defaultAccountName, password } from '../people/people.ts'
import { expect } from '../test.ts'
import { button, field, labels, passwordField } from './elements.ts'
import { expectPath } from './expectations.ts'

export async function fillSignUp(page: Page, person: { email: string; first?: string }): Promise<void> {
  await field(page, labels.first).fill(person.first ?? 'Mara')
  await field(page, labels.last).fill('Okafor')
  await field(page, labels.workEmail).fill(person.email)
  await passwordField(page, labels.password).fill(password)
  await passwordField(page, labels.again).fill(password)
}

export async function signIn(
  page: Page,
  { email, password: word }: { email: string; password: string },
): Promise<void> {
  await page.goto('/login')
  await field(page, labels.email).fill(email)
  await passwordField(page, labels.password).fill(word)
  await button(page, 'Login').click()
}

/** Expects that a member of two accounts is in the default one, as the menu shows. */
export async function expectDefaultAccount(
  page: Page,
  path = '/dashboard',
  menu = 'Your menu',
): Promise<void> {
  await expectPath(page, path)
  await button(page, menu).click()
  const list = page.getByRole('menu')
  await expect(list.getByRole('menuitemcheckbox')).toHaveCount(2)
  const open = list.getByRole('menuitemcheckbox', { checked: true })
  await expect(open).toHaveText(defaultAccountName)
  // Close the menu by choosing the open account; Escape could close a toast instead.
  await open.click()
  await expect(list).toHaveCount(0)
}

export async function signOutByMenu(page: Page): Promise<void> {
  await button(page, 'Your menu').click()
  await page.getByRole('menuitem', { name: 'Signout' }).click()
  await expectPath(page, '/login')
}
