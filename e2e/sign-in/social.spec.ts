import { expectAccessible } from '../support/browser/axe.ts'
import { openAs } from '../support/browser/session.ts'
import { button, heading, toast } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { signOutByMenu } from '../support/pages/sign-in.ts'
import { providerLink, signInAtProvider, signInWithProvider } from '../support/pages/social-provider.ts'
import { createOnboardedPerson, newEmail } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

for (const name of ['Google', 'Microsoft', 'GitHub', 'OpenID Connect']) {
  test(`[route:/login/social] [call:POST /api/auth (token)] ${name}: a new person chooses a plan and signs in again`, async ({
    page,
    openOtherBrowser,
  }) => {
    const email = newEmail()
    await signInWithProvider(page, { email }, name)
    await expect(heading(page, /^Choose/)).toBeVisible()
    await expectPath(page, '/signup/plan')
    expect(await page.evaluate(() => JSON.stringify(history.state) + location.href)).not.toContain('token=')
    await page.goto('/account/profile')
    await expect(page.getByText(email).first()).toBeVisible()
    const another = await openOtherBrowser()
    await signInWithProvider(another, { email }, name)
    await expectPath(another, '/signup/plan')
  })
}

test('a signed-in person is asked before another session replaces theirs', async ({ page }) => {
  await signInWithProvider(page, await createOnboardedPerson())
  await expectPath(page, '/dashboard')
  await page.goto('/auth/social/google')
  await signInAtProvider(page, { email: newEmail() })
  await expect(heading(page, 'You’re already signed in')).toBeVisible()
  await expectAccessible(page, 'signed in already')
  await button(page, 'Stay signed in').click()
  await expectPath(page, '/dashboard')
  await signOutByMenu(page)
})

test('[screen:login.error-query] a cancelled or late sign-in at the provider shows a toast and can be repeated', async ({
  page,
}) => {
  // A callback without a pending sign-in: it expired or started in another browser.
  await page.goto('/auth/social/google/callback?state=old&code=old')
  await expect(toast(page, 'That took too long or was started in another browser.')).toBeVisible()

  await page.goto('/login')
  await expectAccessible(page, 'sign-in with providers')
  await providerLink(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const cancelledToast = toast(page, 'You cancelled at the provider. Nothing has changed.')
  await expect(cancelledToast).toBeVisible()
  await expectPath(page, '/login')
  await expect(page).toHaveURL(/\/login$/)
  await cancelledToast.getByRole('button', { name: 'Try again' }).click()
  await signInAtProvider(page, { email: newEmail() })
  await expectPath(page, '/signup/plan')
})

test('[route:/account/profile] a provider is connected and disconnected in the profile; the last sign-in method stays', async ({
  page,
  openOtherBrowser,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(409)
  const [person, privately] = [await createOnboardedPerson(), newEmail('private')]
  await openAs(page, person, '/account/profile')
  await button(page, 'Connect GitHub').click()
  await signInAtProvider(page, { email: privately })
  await expect(toast(page, 'Connected. You can now sign in with it.')).toBeVisible()
  const section = page.getByRole('region', { name: 'Sign-in services' })
  await expect(section).toContainText(privately)
  await expectAccessible(page, 'connected accounts')
  const another = await openOtherBrowser()
  await signInWithProvider(another, { email: privately }, 'GitHub')
  await expectPath(another, '/dashboard')

  await button(page, 'Connect Google').click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(toast(page, 'You cancelled at the provider.')).toBeVisible()

  await button(page, 'Disconnect GitHub').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(toast(page, 'GitHub disconnected')).toBeVisible()
  await expect(button(page, 'Connect GitHub')).toBeVisible()

  const alone = await openOtherBrowser()
  await signInWithProvider(alone, { email: newEmail() })
  await expectPath(alone, '/signup/plan')
  await alone.goto('/account/profile')
  await button(alone, 'Disconnect Google').click()
  await alone.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(toast(alone, 'This is your only sign-in method. Set a password first.')).toBeVisible()
})

test.describe('in German on a phone', () => {
  test.use({ locale: 'de-DE', viewport: { width: 390, height: 844 } })

  test('[feature:translated] sign-in and connected providers', async ({ page }) => {
    const person = await createOnboardedPerson({ language: 'de' })
    await page.goto('/login')
    await expect(providerLink(page, 'OpenID Connect')).toBeVisible()
    await expectAccessible(page, 'sign-in')
    await providerLink(page, 'GitHub').click()
    await signInAtProvider(page, person)
    await expectPath(page, '/dashboard')
    await page.goto('/account/profile')
    await expect(page.getByRole('region', { name: 'Anmeldedienste' })).toContainText(person.email)
    await expectAccessible(page, 'connected accounts')
  })
})
