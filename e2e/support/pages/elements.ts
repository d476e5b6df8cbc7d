import type { Locator, Page } from '@playwright/test'
import { type Language, textsOf } from '../texts.ts'

export const labels = {
  first: 'First name',
  last: 'Last name',
  workEmail: 'Work email',
  email: 'Email',
  password: 'Password',
  again: 'Confirm password',
}

/** The text field with this label, not a button whose name contains it. */
export const field = (page: Page, label: string): Locator =>
  page.getByRole('textbox', { name: label, exact: true })

export const passwordField = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true })

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name })

/** The name of the toast region without its keyboard shortcut. */
const toastRegion = (language: Language): RegExp =>
  new RegExp(`^${textsOf(language)('global.toast.region').replace(/ \(.*/, '')}`)

export const toast = (page: Page, text: string | RegExp, language: Language = 'en'): Locator =>
  page
    .getByRole('region', { name: toastRegion(language) })
    .getByRole('listitem')
    .filter({ hasText: text })
