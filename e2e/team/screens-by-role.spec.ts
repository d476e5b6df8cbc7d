import { openAs } from '../support/browser/session.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { allRoles, rolesOfScreen } from '../support/pages/screen-roles.ts'
import { startNavigation } from '../support/pages/screens.ts'
import { demoEmail, signInByApi } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

// impersonation.spec.ts tests the master role, which needs a second factor.
for (const role of allRoles.filter(role => role !== 'master'))
  test(`[state:guard] [role:owner-only] [role:admin-only] [role:developer-only] [role:user-any] every account screen opens for the ${role} or redirects to the first one`, async ({
    page,
  }) => {
    await openAs(page, await signInByApi(demoEmail(role)), '/account')
    for (const [path, roles] of Object.entries(rolesOfScreen)) {
      await startNavigation(page, path)
      await expectPath(page, roles.includes(role) ? path : '/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
