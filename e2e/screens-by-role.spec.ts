import { demo, signedIn } from './support/people.ts'
import { go } from './support/screens.ts'
import { expectAt, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'

/** Every screen of the account, and which roles may see it (specification, sections 2 and 6). */
const everyone = ['master', 'owner', 'admin', 'developer', 'user']
const screens: Record<string, string[]> = {
  '/account': everyone,
  '/account/profile': everyone,
  '/account/password': everyone,
  '/account/2fa': everyone,
  '/account/notifications': everyone,
  '/help': everyone,
  '/account/users': ['master', 'owner', 'admin'],
  '/account/audit': ['master', 'owner', 'admin'],
  '/account/apikeys': ['master', 'owner', 'developer'],
  '/account/apikeys/create': ['master', 'owner', 'developer'],
  '/account/billing': ['master', 'owner'],
  '/account/upgrade': ['master', 'owner'],
  '/account/sso': ['master', 'owner'],
}

for (const role of everyone)
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
