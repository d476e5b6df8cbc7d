import { withSecondFactor } from './support/authenticator-app.ts'
import { expectAccessible } from './support/axe.ts'
import { call, demo, inTwoAccounts, patch, signedIn, verified } from './support/people.ts'
import { button, expectAt, expectInDefault, heading, openAs, toast } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const banner = 'Support session'
const linkScreen = '/signin/impersonate'

test('[route:/signin/impersonate] [screen:impersonate.spinner] [error:impersonate] [T-41] support sees what an allowing user sees, until either of them ends it', async ({
  page,
  elsewhere,
  watch,
}) => {
  watch.allow(401, 403, 422)
  const helped = await inTwoAccounts({ first: 'Ines' })
  const support = await withSecondFactor(await signedIn(demo('support')))
  const { token } = support.user
  const ask = (email = helped.email) =>
    call<{ url: string }>('POST', '/api/impersonation', { token, body: { email } })
  expect((await ask()).code).toBe('support_not_enabled')

  await test.step('the user allows it in the profile', async () => {
    const own = await elsewhere()
    await openAs(own, helped, '/account/profile')
    const consent = own.getByRole('switch', { name: 'Let support sign in as you' })
    const saved = own.waitForResponse(answer => answer.request().method() === 'PATCH')
    await consent.click()
    await saved
    await own.reload()
    await expect(consent).toBeChecked()
  })

  const { url } = (await ask()).data
  await test.step('another browser, where nobody is signed in, gets nothing from the link', async () => {
    const stranger = await elsewhere()
    await stranger.goto(url)
    await expectAt(stranger, '/404')
  })

  await test.step('support opens it, sees the banner on every page, and changes nothing', async () => {
    await openAs(page, support, '/account')
    await page.goto(url)
    await expectInDefault(page)
    expect(page.url()).not.toContain('token')
    const note = page.getByRole('complementary', { name: banner })
    await expect(note).toContainText('You’re acting as Ines Okafor')
    for (const [path, title] of [
      ['/account', 'Account'],
      ['/account/billing', 'Billing'],
      ['/account/profile', 'Profile'],
    ] as const) {
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      await expect(note).toBeVisible()
    }
    await page.getByRole('switch', { name: 'Dark mode' }).click()
    await expect(toast(page, 'This is a support session')).toContainText('Support can’t do this for somebody')
    await expectAccessible(page, 'profile with the banner')
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(note).toBeInViewport()
    await expectAccessible(page, 'profile with the banner on a phone')
  })

  await test.step('a used link and none at all show the 404 page', async () => {
    const again = await elsewhere({ locale: 'de-DE', viewport: { width: 390, height: 800 } })
    await openAs(again, support, '/account')
    await again.goto(url)
    await expectAt(again, '/404')
    await again.goto(linkScreen)
    await expectAt(again, '/404')
  })

  await test.step('support ends it', async () => {
    await button(page, 'End').click()
    await expectAt(page, '/login')
    await expect(toast(page, 'The support session has ended')).toBeVisible()
    await expect(page.getByRole('complementary', { name: banner })).toHaveCount(0)
  })

  await test.step('in German on a phone too; the user ends it by taking the consent back', async () => {
    const german = await elsewhere({ locale: 'de-DE', viewport: { width: 390, height: 800 } })
    await openAs(german, support, '/account')
    await patch(helped.user, { locale: 'de' })
    await german.goto((await ask()).data.url)
    await expect(german.getByRole('complementary', { name: 'Support-Sitzung' })).toContainText(
      'Sie handeln als Ines Okafor',
    )
    await expectAccessible(german, 'dashboard with the banner in German')
    await patch(helped.user, { support_enabled: false })
    await german.goto('/account/profile')
    await expectAt(german, '/login')
    await expect(german.getByText('Die Support-Sitzung ist beendet').first()).toBeVisible()
  })

  await test.step('somebody without a plan is seen where they stopped', async () => {
    const early = await verified()
    await patch(early.user, { support_enabled: true })
    await openAs(page, support, '/account')
    await page.goto((await ask(early.email)).data.url)
    await expectAt(page, '/signup/plan')
  })
})
