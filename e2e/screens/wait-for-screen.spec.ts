import { navigate, waitForScreen } from '../support/pages/screens.ts'
import { expect, test } from '../support/test.ts'
import { textsOf } from '../support/texts.ts'

const t = textsOf('en')

test('waitForScreen waits for the next screen when the current one shows an invalid link', async ({
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
  // `waitForScreen` checks once per frame: after two frames it would have accepted the old screen.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  code.resolve()
  expect(await seen).toBe(t('auth.reset.expired'))
})
