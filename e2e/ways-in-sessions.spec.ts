import { walksHere } from './support/walk-here.ts'
import {
  appCode,
  backupCode,
  guessedCode,
  switchTooLate,
  switchWithoutPlan,
} from './support/ways-in-sessions.ts'
import { byPasskey, byProvider, bySingleSignOn } from './support/ways-in-sessions-providers.ts'
import { ways } from './support/words.ts'

// What they provoke: wrong codes, sessions that are over, accounts that are closed to them or gone.
const test = walksHere(401, 403, 404, 409, 422)

for (const { language, where, use } of ways) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test('[route:/login/otp] [T-13] [T-16] a code of the app: none asked for, made up, guessed at, without a plan, in several accounts, and used', async ({
      page,
      walk,
    }) => {
      await test.step('guessed at, and no plan yet', () => guessedCode(page, walk))
      await test.step('one of several accounts', () => appCode(page, walk))
    })

    test('[screen:otp.backup-mode] [T-13] the backup code: made up, in several accounts, used, and without a plan', async ({
      page,
      walk,
    }) => {
      await backupCode(page, walk)
    })

    test('[menu:switch] [role:switch] [state:after-switch] [T-43] the other account: without a plan, behind single sign-on alone, with a session that a second factor ended, and left meanwhile', async ({
      page,
      walk,
    }) => {
      await test.step('without a plan', () => switchWithoutPlan(page, walk))
      await test.step('changed since the menu was drawn', () => switchTooLate(page, walk))
    })

    test('[text:signin.failed] [T-05] [T-17] [T-38] [T-58] a social provider: an unproven address, a guarded one, several accounts, a second factor, a claim, no plan, and used', ({
      page,
      walk,
    }) => byProvider(page, walk))

    test('[feature:sso] [feature:translated] [screen:login.sso-button] [T-05] [T-17] [T-38] [T-51] single sign-on: refused, a claim, used, several accounts, and a second factor', ({
      page,
      walk,
    }) => bySingleSignOn(page, walk))

    test('[screen:profile.passkeys] [screen:login.passkey] [state:access.no-plan] [state:access.unverified] [T-17] [T-38] a passkey: unverified, without a plan, several accounts, a second factor, and removed', ({
      page,
      walk,
    }) => byPasskey(page, walk))
  })
}
