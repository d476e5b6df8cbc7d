import { everyone, screens } from './support/account-screens.ts'
import { demo, signedIn } from './support/people.ts'
import { go } from './support/screens.ts'
import { expectAt, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

// The master needs a second factor first: in impersonation.spec.ts, which sets one up.
for (const role of everyone.filter(role => role !== 'master'))
  test(`[state:guard] [role:owner-only] [role:admin-only] [role:developer-only] [role:user-any] every screen of the account is open to the ${role}, or leads to the first one`, async ({
    page,
  }) => {
    await openAs(page, await signedIn(demo(role)), '/account')
    for (const [path, roles] of Object.entries(screens)) {
      await go(page, path)
      await expectAt(page, roles.includes(role) ? path : '/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
