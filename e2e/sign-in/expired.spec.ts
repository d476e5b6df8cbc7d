import { createOnboardedPerson } from '../support/people/people.ts'
import { test as clockedTest } from '../support/server/server-clock.ts'
import {
  expiredEmailChange,
  expiredInvite,
  expiredMagicLink,
  expiredNewDeviceLink,
  expiredReset,
  expiredVerification,
} from '../support/sign-in/expired-links.ts'
import { expiredSessions, expiredStepUp, expiredSupportSession } from '../support/sign-in/expired-sessions.ts'
import {
  expiredPasskey,
  expiredSecondStep,
  expiredSingleSignOn,
  expiredSocialSignIn,
} from '../support/sign-in/expired-sign-ins.ts'
import { createVisitor, type Visitor } from '../support/sign-in/visitor.ts'
import { type Language, languageViewports } from '../support/texts.ts'

const test = clockedTest.extend<{ language: Language; visitor: Visitor }>({
  language: ['en', { option: true }],
  visitor: async ({ page, clockServer, consoleGuard, language }, use) => {
    // Expected statuses: expired sessions and links, and actions that need a recent sign-in.
    consoleGuard.allowStatus(401, 403, 409, 422)
    consoleGuard.allowHost(new URL(clockServer.url).host)
    await use(createVisitor(page, language, clockServer))
  },
})

// All tests share one server, whose clock one test at a time can move. It starts next to the main server.
test.describe.configure({ mode: 'default', timeout: 120_000 })

for (const { language, where, use } of languageViewports) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test(`[state:verify.expired] [text:verify.expired] [text:magic.invalid] [T-13] expired links: sign-up, magic link, reset, invite, email change and its undo, new device`, async ({
      page,
      visitor,
    }) => {
      await test.step('the verification link', () => expiredVerification(page, visitor))
      const person = await createOnboardedPerson(visitor.personOptions)
      await test.step('a magic link', () => expiredMagicLink(page, visitor, person))
      await test.step('a password reset', () => expiredReset(page, visitor, person))
      await test.step('an invite', () => expiredInvite(page, visitor, person))
      await test.step('an email change and its undo', () => expiredEmailChange(page, visitor, person))
      await test.step('a new device', () => expiredNewDeviceLink(page, visitor))
    })

    test(`[text:signin.failed] sign-ins that took too long: second factor, social provider, single sign-on, passkey`, async ({
      page,
      visitor,
    }) => {
      await test.step('a passkey', async () =>
        expiredPasskey(page, visitor, await createOnboardedPerson(visitor.personOptions)))
      await visitor.clearBrowser()
      await test.step('the second factor', async () =>
        expiredSecondStep(page, visitor, await createOnboardedPerson(visitor.personOptions)))
      await test.step('a provider', () => expiredSocialSignIn(page, visitor))
      await test.step('single sign-on', () => expiredSingleSignOn(page, visitor))
    })

    test(`[error:impersonate] [T-41] expired sessions: idle, 30 days old, support and its link; and a sign-in too old for changes`, async ({
      page,
      visitor,
    }) => {
      const person = await createOnboardedPerson(visitor.personOptions)
      await test.step('a sign-in too old for changes', () => expiredStepUp(page, visitor, person))
      await test.step('a session', () => expiredSessions(page, visitor, person))
      await test.step('support', () =>
        expiredSupportSession(page, visitor, language === 'en' ? 'support' : 'master'))
    })
  })
}
