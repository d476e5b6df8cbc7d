import type { Locator, Page } from '@playwright/test'
import { waitForLink } from '../mail.ts'
import { callApi, newEmail, type Person, password } from '../people/people.ts'
import { expect } from '../test.ts'

export const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text })
export const dialog = (page: Page): Locator => page.locator('dialog[open]')

/** Where a keyboard goes on after a row went: in the row that came into its place, or in the search. */
export async function expectFocusInList(page: Page): Promise<void> {
  const places = page.getByRole('button', { name: /^Actions for/ }).or(page.getByRole('searchbox'))
  await expect(places.and(page.locator(':focus'))).toHaveCount(1)
}

export async function chooseRowAction(page: Page, on: string, action: string): Promise<void> {
  await row(page, on)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Somebody new in an owner's account, through an invite of their own. */
export async function createMember(owner: Person, permission: string, first = 'Tomas'): Promise<Person> {
  const email = newEmail(permission)
  await callApi('POST', '/api/invite', { token: owner.user.token, body: { email, permission } })
  const { token, mail } = await waitForLink(email)
  const body = { first_name: first, last_name: 'Ribeiro', email, password, invite_id: token }
  const { data } = await callApi<Person['user']>('POST', '/api/user', { body })
  await callApi('PATCH', '/api/user', { token: data.token, body: { onboarded: true } })
  return { email, password, lastMail: mail.id, user: { ...data, onboarded: true } }
}
