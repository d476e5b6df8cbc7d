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
    // What they provoke: sessions and links that are over, and what a stale sign-in may not do.
    consoleGuard.allowStatus(401, 403, 409, 422)
    consoleGuard.allowHost(new URL(clockServer.url).host)
    await use(createVisitor(page, language, clockServer))
  },
})

// One server for all of them, whose clock only one can turn at a time; it starts beside the first one.
test.describe.configure({ mode: 'default', timeout: 120_000 })

for (const { language, where, use } of languageViewports) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test(`[state:verify.expired] [text:verify.expired] [text:magic.invalid] [T-13] mailed links that time has closed: the address, the magic link, the reset, the invite, the new address and its undo, the new device`, async ({
      page,
      visitor,
    }) => {
      await test.step('the link of a sign-up', () => expiredVerification(page, visitor))
      const person = await createOnboardedPerson(visitor.personOptions)
      await test.step('a magic link', () => expiredMagicLink(page, visitor, person))
      await test.step('a reset', () => expiredReset(page, visitor, person))
      await test.step('an invite', () => expiredInvite(page, visitor, person))
      await test.step('a new address, and its undo', () => expiredEmailChange(page, visitor, person))
      await test.step('a new device', () => expiredNewDeviceLink(page, visitor))
    })

    test(`[text:signin.failed] sign-ins that took too long: the second step and its set-up, a provider, single sign-on, a passkey`, async ({
      page,
      visitor,
    }) => {
      await test.step('a passkey', async () =>
        expiredPasskey(page, visitor, await createOnboardedPerson(visitor.personOptions)))
      await visitor.clearBrowser()
      await test.step('the second step', async () =>
        expiredSecondStep(page, visitor, await createOnboardedPerson(visitor.personOptions)))
      await test.step('a provider', () => expiredSocialSignIn(page, visitor))
      await test.step('single sign-on', () => expiredSingleSignOn(page, visitor))
    })

    test(`[error:impersonate] [T-41] sessions that are over: unused, in all, support's and their link; and a sign-in that is not fresh any more`, async ({
      page,
      visitor,
    }) => {
      const person = await createOnboardedPerson(visitor.personOptions)
      await test.step('a sign-in that is not fresh', () => expiredStepUp(page, visitor, person))
      await test.step('a session', () => expiredSessions(page, visitor, person))
      await test.step('support', () =>
        expiredSupportSession(page, visitor, language === 'en' ? 'support' : 'master'))
    })
  })
}
