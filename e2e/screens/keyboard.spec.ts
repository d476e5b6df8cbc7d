import type { Locator, Page } from '@playwright/test'
import { openAs } from '../support/browser/session.ts'
import { waitForLink } from '../support/mail.ts'
import { button, field, heading, labels, passwordField } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { demoEmail, newEmail, password, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

/** Presses Tab until the target has the focus; every stop must be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 40; stops += 1) {
    if (await target.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
    await expectFocusShown(page)
  }
  throw new Error('Tab does not reach the target')
}

async function expectFocusShown(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body || element.tagName === 'IFRAME') return true
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box)
      if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return true
    }
    return element.outerHTML.slice(0, 200)
  })
  expect(seen, 'the focus can be seen').toBe(true)
}

test('[feature:sign-up] [shell:skip] [shell:focus] sign-up, dashboard and sign-out work without a mouse', async ({
  page,
}) => {
  const email = newEmail()
  const { keyboard } = page
  await page.goto('/login')
  await expect(heading(page, 'Sign in')).toBeVisible()
  await expect(field(page, labels.email)).toBeFocused()
  await keyboard.press('Tab')
  await expect(passwordField(page, labels.password)).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toBeFocused()
  // Back to the start of the page, without a focused field.
  await page.evaluate(() => document.querySelector<HTMLElement>(':focus')?.blur())
  await tabTo(page, button(page, 'Skip to content'))
  await tabTo(page, page.getByRole('link', { name: 'Create an account' }))
  await keyboard.press('Enter')
  await expect(field(page, labels.first)).toBeFocused()
  await keyboard.type('Mara')
  await tabTo(page, field(page, labels.last))
  await keyboard.type('Okafor')
  await tabTo(page, field(page, labels.workEmail))
  await keyboard.type(email)
  await tabTo(page, passwordField(page, labels.password))
  await keyboard.type(password)
  await tabTo(page, passwordField(page, labels.again))
  await keyboard.type(password)
  await keyboard.press('Enter')
  await expectPath(page, '/signup/verify')

  await page.goto((await waitForLink(email)).url)
  await tabTo(page, button(page, 'Confirm my email address'))
  await keyboard.press('Enter')
  await expect(heading(page, 'Choose a plan')).toBeVisible()
  await tabTo(page, page.getByRole('radio').first())
  await keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: /^Startup \d/ })).toBeChecked()
  await keyboard.press('ArrowUp')
  await expect(page.getByRole('radio', { name: /^Free/ })).toBeChecked()
  await tabTo(page, button(page, 'Choose free'))
  await keyboard.press('Enter')

  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  await tabTo(page, button(page, 'Next'))
  await keyboard.press('Space')
  await expect(heading(page, 'Invite your team')).toBeFocused()
  await tabTo(page, button(page, 'Finish'))
  await keyboard.press('Enter')
  await expect(heading(page, 'Dashboard')).toBeVisible()

  const menu = button(page, 'Your menu')
  await tabTo(page, menu)
  await keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit Account' })).toBeFocused()
  await keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await keyboard.press('Enter')
  await keyboard.press('ArrowUp')
  await keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Signout' })).toBeFocused()
  await keyboard.press('Enter')
  await expectPath(page, '/login')

  await tabTo(page, field(page, labels.email))
  await keyboard.type(email)
  await tabTo(page, passwordField(page, labels.password))
  await keyboard.type(password)
  await keyboard.press('Enter')
  await expectPath(page, '/dashboard')
})

for (const [where, width] of [
  ['a phone', 390],
  ['a desktop', 1440],
] as const) {
  test(`[shell:focus] on ${where}, Shift+Tab never moves the focus under the top bar`, async ({ page }) => {
    await page.setViewportSize({ width, height: 500 })
    const person = await signInByApi(demoEmail('big-team'))
    for (const [path, last] of [
      ['/account/users', button(page, 'Next')],
      ['/account/profile', button(page, 'Download your data')],
    ] as const) {
      await openAs(page, person, path)
      await last.focus()
      for (let stops = 0; stops < 24; stops += 1) {
        await page.keyboard.press('Shift+Tab')
        await expect.poll(() => page.evaluate(elementCoveringFocus), path).toBeNull()
      }
    }
  })
}

/** The element that covers part of the top of the focused element, or null. */
function elementCoveringFocus(): string | null {
  const focused = document.activeElement
  // After the first element the focus moves to the browser.
  if (!focused || focused === document.body) return null
  const { left, top, width, height } = focused.getBoundingClientRect()
  const drawn = document.elementFromPoint(left + width / 2, top + height / 4)
  const same = drawn && (focused.contains(drawn) || drawn.contains(focused))
  return same ? null : `${focused.outerHTML.slice(0, 80)} is under ${drawn?.outerHTML.slice(0, 80)}`
}
