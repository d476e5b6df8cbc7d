import { navigate, waitForScreen } from '../support/pages/screens.ts'
import { expect, test } from '../support/test.ts'
import { textsOf } from '../support/texts.ts'

const t = textsOf('en')

test('a journey waits for the next screen also when the one before says that its link failed', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(404, 422)
  await page.goto('/magic')
  await waitForScreen(page)
  const code = Promise.withResolvers<void>()
  await page.route(/\.js$/, async route => {
    await code.promise
    await route.continue()
  })
  const requested = page.waitForRequest(/\.js$/)
  const seen = navigate(page, '/resetpassword').then(() =>
    page.getByRole('heading', { level: 1 }).textContent(),
  )
  await requested
  // `arrived` looks once a frame: in two it would have taken the old screen for the new one.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  code.resolve()
  expect(await seen).toBe(t('auth.reset.expired'))
})
