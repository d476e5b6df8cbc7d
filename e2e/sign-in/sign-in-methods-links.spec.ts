import { signInByMagicLink, signInByPassword, signInByReset } from '../support/sign-in/password-and-links.ts'
import { signInByInvite, signInByVerification } from '../support/sign-in/verification-and-invite.ts'
import { visitorTest } from '../support/sign-in/visitor-test.ts'
import { languageViewports } from '../support/texts.ts'

// Expected statuses: invalid and used links, and sessions that have ended. Expired links are in expired.spec.ts.
const test = visitorTest(401, 409, 422)

for (const { language, where, use } of languageViewports) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test('[screen:login.magic-mode] [screen:magic.spinner] [call:POST /api/auth/magic] [call:POST /api/auth/magic/verify] [text:magic.invalid] [state:sign-in.2fa] [state:after-sign-in] [feature:translated] [T-13] [T-38] by magic link: wrong, used twice, second factor, no plan, several accounts, unverified', ({
      page,
      visitor,
    }) => signInByMagicLink(page, visitor))

    test('[screen:login.forgot-link] [call:POST /api/auth/password/reset/request] [call:POST /api/auth/password/reset] [state:sign-in.2fa] [state:after-sign-in] [feature:translated] [T-13] [T-38] by password reset: wrong, refused, used twice, second factor, no plan, several accounts, unverified', ({
      page,
      visitor,
    }) => signInByReset(page, visitor))

    test('[rule:form.error-under-field] [error:inputError] [state:form.nothing-lost] [state:sign-in.2fa] [state:after-sign-in.no-plan] [state:after-sign-in.unverified] [feature:translated] by password: wrong, with a second factor, no plan, several accounts, unverified', ({
      page,
      visitor,
    }) => signInByPassword(page, visitor))

    test('[screen:verify.banner] [state:verify.info] [state:verify.expired] [text:verify.expired] [state:verify.done] [state:after-sign-in] [state:sign-in.2fa] [screen:onboarding.duplicate-step] [feature:translated] by verification link: wrong, used twice, signed out, second factor and two accounts', ({
      page,
      visitor,
    }) => signInByVerification(page, visitor))

    test('[route:/signup/user] [state:sign-in.2fa] [feature:translated] by invite: wrong, other address, used twice, unverified, second factor, no plan, several accounts', ({
      page,
      visitor,
    }) => signInByInvite(page, visitor))
  })
}
