import { button, field, heading, labels, passwordField, toast } from '../support/pages/elements.ts'
import { expectFitsAndAccessible, expectPath } from '../support/pages/expectations.ts'
import { fillSignUp, signOutByMenu } from '../support/pages/sign-in.ts'
import { newEmail, password } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'
import { sandboxUrl } from '../support/urls.ts'

const screens = {
  'on a wide screen': { viewport: { width: 1440, height: 900 } },
  'on the smallest phone, in the dark': {
    viewport: { width: 320, height: 640 },
    colorScheme: 'dark',
  },
} as const

for (const [name, use] of Object.entries(screens)) {
  test.describe(name, () => {
    test.use(use)

    test('[feature:sign-up] [route:/login] [route:/signup] [route:/signup/verify] [route:/signup/plan] [route:/welcome] [route:/dashboard] [screen:plan.to-welcome] sign-up to the dashboard on the free plan, and a later sign-in', async ({
      page,
    }) => {
      const email = newEmail()
      await page.goto('/')
      await page.getByRole('link', { name: 'Create an account' }).click()
      await fillSignUp(page, { email })
      await expectFitsAndAccessible(page, 'the sign-up form')
      await button(page, 'Create account').click()
      await expectPath(page, '/signup/verify')
      await expect(page.getByText(`We sent a link to ${email}.`)).toBeVisible()
      await expectFitsAndAccessible(page, 'the screen that waits for the mail')

      // The screen links to the inbox of the sandbox.
      const [inbox] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: 'Open the test inbox' }).click(),
      ])
      expect(inbox.url()).toBe(`${sandboxUrl}/`)
      await inbox.getByRole('searchbox').fill(email)
      await inbox.getByRole('link', { name: email }).click()
      await expect(inbox.getByRole('heading', { level: 2, name: 'Verify your email' })).toBeVisible()
      const [mailed] = await Promise.all([
        inbox.waitForEvent('popup'),
        inbox.frameLocator('iframe').getByRole('link', { name: 'Verify email' }).click(),
      ])
      await mailed.getByRole('button', { name: 'Confirm my email address' }).click()

      await expectPath(mailed, '/signup/plan')
      await mailed.getByRole('radio', { name: /^Free/ }).check()
      await expectFitsAndAccessible(mailed, 'choosing a plan')
      await button(mailed, 'Choose free').click()

      await expectPath(mailed, '/welcome')
      await expect(heading(mailed, 'Welcome, Mara')).toBeVisible()
      await expectFitsAndAccessible(mailed, 'the first step')
      await button(mailed, 'Next').click()
      await expect(heading(mailed, 'Invite your team')).toBeVisible()
      await expectFitsAndAccessible(mailed, 'inviting the team')
      await button(mailed, 'Finish').click()

      await expectPath(mailed, '/dashboard')
      await expect(heading(mailed, 'Dashboard')).toBeVisible()
      await expect(toast(mailed, 'Welcome, Mara')).toBeVisible()
      await expect(mailed.getByRole('table', { name: 'Users' })).toBeVisible()
      await expectFitsAndAccessible(mailed, 'the dashboard')
      await signOutByMenu(mailed)

      await field(mailed, labels.email).fill(email)
      await passwordField(mailed, labels.password).fill(password)
      await button(mailed, 'Login').click()
      await expectPath(mailed, '/dashboard')
    })
  })
}
