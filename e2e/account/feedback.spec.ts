import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { button, heading } from '../support/pages/elements.ts'
import { createOnboardedPerson, createUnverifiedPerson } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[screen:feedback.heart] [screen:feedback.faces] [state:feedback.flow] [const:feedback.close] feedback is given with a face and a comment, and the panel closes after the thanks', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
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
  // Arrow keys choose, as in any radio group.
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

test('[screen:feedback.heart] the feedback button is hidden until the sign-up is finished', async ({
  page,
}) => {
  await openAs(page, await createUnverifiedPerson(), '/account/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await expect(button(page, 'Give feedback')).toHaveCount(0)
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  test('[state:feedback.flow] [i18n:locale] the feedback sheet closes by a tap outside it', async ({
    page,
  }) => {
    await openAs(page, await createOnboardedPerson({ language: 'de' }), '/account')
    const panel = page.getByRole('region', { name: 'Wie zufrieden sind Sie mit Plinth?' })
    const openFromDrawer = async () => {
      await button(page, 'Menü öffnen').click()
      await button(page, 'Feedback geben').click()
    }
    await openFromDrawer()
    await expect(panel).toBeVisible()
    await page.mouse.click(195, 120)
    await expect(panel).toHaveCount(0)
    await openFromDrawer()
    await panel.getByRole('radio', { name: 'Schlecht' }).click()
    await expectAccessible(page, 'feedback in German')
    await button(page, 'Feedback senden').click()
    await expect(panel.getByText('Danke')).toBeVisible()
    await expect(panel).toHaveCount(0)
  })
})

test('[screen:feedback.heart] the feedback button covers nothing; on a phone it is in the drawer', async ({
  page,
}) => {
  await openAs(page, await createOnboardedPerson(), '/dashboard')
  const heart = button(page, 'Give feedback')
  for (const width of [721, 1024, 1440]) {
    await page.setViewportSize({ width, height: 600 })
    const place = await heart.boundingBox()
    const content = await page.getByRole('main').boundingBox()
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(content?.x ?? 0)
    const out = await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).boundingBox()
    expect((out?.y ?? 0) + (out?.height ?? 0)).toBeLessThanOrEqual(place?.y ?? 0)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(heart).toHaveCount(0)
  const panel = page.getByRole('region', { name: 'How is Plinth working for you?' })
  // The second time the code of the panel is already loaded.
  for (const _time of ['first', 'second']) {
    await button(page, 'Open menu').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Give feedback' }).click()
    await expect(panel).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(panel).toHaveCount(0)
    await expect(button(page, 'Open menu')).toBeFocused()
  }
})
