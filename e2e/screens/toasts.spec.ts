import type { Page } from '@playwright/test'
import { openAs } from '../support/browser/session.ts'
import { toast } from '../support/pages/elements.ts'
import { createOnboardedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

const greeting = (page: Page) => toast(page, 'Welcome, Mara')

test.beforeEach(async ({ page }) => {
  // The clock of the page is moved instead of waiting.
  await page.clock.install()
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  await expect(greeting(page)).toBeVisible()
})

test('[const:toast.autoclose] [shell:toasts] a toast closes by itself after five seconds', async ({
  page,
}) => {
  await page.clock.fastForward(3000)
  await expect(greeting(page)).toBeVisible()
  await page.clock.fastForward(3000)
  await expect(greeting(page)).toBeHidden()
})

test('[part:toast.pause] a toast stays while the pointer is on it', async ({ page }) => {
  await greeting(page).hover()
  await page.clock.fastForward(20_000)
  await expect(greeting(page)).toBeVisible()
  await page.mouse.move(5, 5)
  await page.clock.fastForward(6000)
  await expect(greeting(page)).toBeHidden()
})

test('[const:toast.hotkey] F8 moves the focus to the toast, and Escape closes it', async ({ page }) => {
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Notifications (F8)' }).getByRole('list')).toBeFocused()
  await page.clock.fastForward(20_000)
  await expect(greeting(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(greeting(page)).toBeHidden()
})

test('[part:toast.dismiss] the close button closes a toast', async ({ page }) => {
  await greeting(page).getByRole('button', { name: 'Close' }).click()
  await expect(greeting(page)).toBeHidden()
})

test('[const:toast.swipe] dragging a toast right by more than 50 pixels closes it; by less it returns', async ({
  page,
}) => {
  const box = await greeting(page).boundingBox()
  if (!box) throw new Error('The toast is not visible')
  const [x, y] = [box.x + 60, box.y + box.height / 2]
  const drag = async (by: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + by / 2, y, { steps: 4 })
    await page.mouse.move(x + by, y, { steps: 4 })
    await page.mouse.up()
  }
  await drag(48)
  await expect(greeting(page)).toBeVisible()
  await drag(53)
  await expect(greeting(page)).toBeHidden()
})

test('a clicked toast closes by itself once the pointer has left', async ({ page }) => {
  await greeting(page).click()
  await page.mouse.move(5, 5)
  await page.clock.fastForward(6000)
  await expect(greeting(page)).toBeHidden()
})

test('a toast closed by the keyboard returns the focus, and so does a click on Close', async ({ page }) => {
  const search = page.getByRole('searchbox')
  await search.focus()
  await page.keyboard.press('F8')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(greeting(page)).toBeHidden()
  await expect(search).toBeFocused()
  // The tab stores that the greeting was shown.
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await greeting(page).getByRole('button', { name: 'Close' }).click()
  await expect(greeting(page)).toBeHidden()
  await expect(page.getByRole('region', { name: /^Notifications/ }).locator(':focus')).toHaveCount(0)
})
