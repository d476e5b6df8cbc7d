import { switchToAccountWithoutPlan, switchToChangedAccount } from '../support/sign-in/account-switch.ts'
import {
  signInByPasskey,
  signInBySocialProvider,
  signInBySso,
} from '../support/sign-in/providers-and-passkeys.ts'
import { guessAppCode, signInByAppCode, signInByBackupCode } from '../support/sign-in/second-factor.ts'
import { visitorTest } from '../support/sign-in/visitor-test.ts'
import { languageViewports } from '../support/texts.ts'

// What they provoke: wrong codes, sessions that are over, accounts that are closed to them or gone.
const test = visitorTest(401, 403, 404, 409, 422)

for (const { language, where, use } of languageViewports) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test('[route:/login/otp] [T-13] [T-16] a code of the app: none asked for, made up, guessed at, without a plan, in several accounts, and used', async ({
      page,
      visitor,
    }) => {
      await test.step('guessed at, and no plan yet', () => guessAppCode(page, visitor))
      await test.step('one of several accounts', () => signInByAppCode(page, visitor))
    })

    test('[screen:otp.backup-mode] [T-13] the backup code: made up, in several accounts, used, and without a plan', async ({
      page,
      visitor,
    }) => {
      await signInByBackupCode(page, visitor)
    })

    test('[menu:switch] [role:switch] [state:after-switch] [T-43] the other account: without a plan, behind single sign-on alone, with a session that a second factor ended, and left meanwhile', async ({
      page,
      visitor,
    }) => {
      await test.step('without a plan', () => switchToAccountWithoutPlan(page, visitor))
      await test.step('changed since the menu was drawn', () => switchToChangedAccount(page, visitor))
    })

    test('[text:signin.failed] [T-05] [T-17] [T-38] [T-58] a social provider: an unproven address, a guarded one, several accounts, a second factor, a claim, no plan, and used', ({
      page,
      visitor,
    }) => signInBySocialProvider(page, visitor))

    test('[feature:sso] [feature:translated] [screen:login.sso-button] [T-05] [T-17] [T-38] [T-51] single sign-on: refused, a claim, used, several accounts, and a second factor', ({
      page,
      visitor,
    }) => signInBySso(page, visitor))

    test('[screen:profile.passkeys] [screen:login.passkey] [state:access.no-plan] [state:access.unverified] [T-17] [T-38] a passkey: unverified, without a plan, several accounts, a second factor, and removed', ({
      page,
      visitor,
    }) => signInByPasskey(page, visitor))
  })
}
