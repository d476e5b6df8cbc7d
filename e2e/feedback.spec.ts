import { expectAccessible } from './support/axe.ts'
import { settled, signedUp } from './support/people.ts'
import { button, heading, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

test('[screen:feedback.heart] [screen:feedback.faces] [state:feedback.flow] [const:feedback.close] heart, face, words, thanks, closed', async ({
  page,
}) => {
  await openAs(page, await settled(), '/dashboard')
  const heart = button(page, 'Give feedback')
  await heart.click()
  const panel = page.getByRole('region', { name: 'How is Plinth working for you?' })
  await expect(panel).toBeFocused()
  await expect(panel.getByRole('textbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(heart).toBeFocused()

  await page.keyboard.press('Enter')
  await panel.getByRole('radio', { name: 'Good' }).click()
  // Arrows choose, as among any radios.
  await page.keyboard.press('ArrowRight')
  await expect(panel.getByRole('radio', { name: 'Fair' })).toBeChecked()
  const words = panel.getByRole('textbox', { name: 'What would make it better? (optional)' })
  await words.fill('Fewer clicks')
  await expectAccessible(page, 'feedback')
  await panel.getByRole('button', { name: 'Close' }).click()
  await heart.click()
  await panel.getByRole('radio', { name: 'Fair' }).click()
  await expect(words).toHaveValue('Fewer clicks')

  const sent = page.waitForRequest(request => request.url().endsWith('/api/feedback'))
  await button(page, 'Send feedback').dblclick()
  expect((await sent).postDataJSON()).toEqual({ rating: 'neutral', comment: 'Fewer clicks' })
  await expect(panel.getByText('Thank you')).toBeVisible()
  await expect(panel).toHaveCount(0)
  await expect(heart).toBeFocused()
})

test('[screen:feedback.heart] nobody is asked who is not through the sign-up', async ({ page }) => {
  await openAs(page, await signedUp(), '/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await expect(button(page, 'Give feedback')).toHaveCount(0)
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  test('[state:feedback.flow] [i18n:locale] a sheet, which a tap beside it closes', async ({ page }) => {
    await openAs(page, await settled({ language: 'de' }), '/account')
    const panel = page.getByRole('region', { name: 'Wie arbeitet es sich mit Plinth?' })
    await button(page, 'Feedback geben').click()
    await expect(panel).toBeVisible()
    await page.mouse.click(195, 120)
    await expect(panel).toHaveCount(0)
    await button(page, 'Feedback geben').click()
    await panel.getByRole('radio', { name: 'Schlecht' }).click()
    await expectAccessible(page, 'feedback in German')
    await button(page, 'Feedback senden').click()
    await expect(panel.getByText('Danke')).toBeVisible()
    await expect(panel).toHaveCount(0)
  })
})
