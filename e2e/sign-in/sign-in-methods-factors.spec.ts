import { switchToAccountWithoutPlan, switchToChangedAccount } from '../support/sign-in/account-switch.ts'
import {
  signInByPasskey,
  signInBySocialProvider,
  signInBySso,
} from '../support/sign-in/providers-and-passkeys.ts'
import { guessAppCode, signInByAppCode, signInByBackupCode } from '../support/sign-in/second-factor.ts'
import { visitorTest } from '../support/sign-in/visitor-test.ts'
import { languageViewports } from '../support/texts.ts'

// Expected statuses: wrong codes, ended sessions, and accounts without access.
const test = visitorTest(401, 403, 404, 409, 422)

for (const { language, where, use } of languageViewports) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test('[route:/login/otp] [T-13] [T-16] by app code: none requested, wrong, guessed five times, without a plan, several accounts, used', async ({
      page,
      visitor,
    }) => {
      await test.step('guessed five times, without a plan', () => guessAppCode(page, visitor))
      await test.step('a person in several accounts', () => signInByAppCode(page, visitor))
    })

    test('[screen:otp.backup-mode] [T-13] by backup code: wrong, several accounts, used, without a plan', async ({
      page,
      visitor,
    }) => {
      await signInByBackupCode(page, visitor)
    })

    test('[menu:switch] [role:switch] [state:after-switch] [T-43] account switch: without a plan, single sign-on only, ended session, no longer a member', async ({
      page,
      visitor,
    }) => {
      await test.step('without a plan', () => switchToAccountWithoutPlan(page, visitor))
      await test.step('changed after the menu was opened', () => switchToChangedAccount(page, visitor))
    })

    test('[text:signin.failed] [T-05] [T-17] [T-38] [T-58] by social provider: unverified address, second factor, several accounts, earlier sign-up', ({
      page,
      visitor,
    }) => signInBySocialProvider(page, visitor))

    test('[feature:sso] [feature:translated] [screen:login.sso-button] [T-05] [T-17] [T-38] [T-51] by single sign-on: refused, earlier sign-up, used, several accounts, second factor', ({
      page,
      visitor,
    }) => signInBySso(page, visitor))

    test('[screen:profile.passkeys] [screen:login.passkey] [state:access.no-plan] [state:access.unverified] [T-17] [T-38] by passkey: unverified, without a plan, several accounts, second factor, removed', ({
      page,
      visitor,
    }) => signInByPasskey(page, visitor))
  })
}
