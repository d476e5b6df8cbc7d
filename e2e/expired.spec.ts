import { test as clockedTest } from './support/clock.ts'
import { type Walker, walker } from './support/late.ts'
import {
  invitation,
  magicLink,
  newAddress,
  newDevice,
  resetLink,
  verification,
} from './support/late-links.ts'
import { proof, sessions, support } from './support/late-sessions.ts'
import { passkey, secondStep, singleSignOn, socialSignIn } from './support/late-sign-ins.ts'
import { settled } from './support/people.ts'
import { type Language, ways } from './support/words.ts'

const test = clockedTest.extend<{ language: Language; walk: Walker }>({
  language: ['en', { option: true }],
  walk: async ({ page, clocked, watch, language }, use) => {
    // What they provoke: sessions and links that are over, and what a stale sign-in may not do.
    watch.allow(401, 403, 409, 422)
    watch.allowHost(new URL(clocked.at).host)
    await use(walker(page, language, clocked))
  },
})

// One server for all of them, whose clock only one can turn at a time; it starts beside the first one.
test.describe.configure({ mode: 'default', timeout: 120_000 })

for (const { language, where, use } of ways) {
  test.describe(where, () => {
    test.use({ ...use, language })

    test(`[state:verify.expired] [text:verify.expired] [text:magic.invalid] [T-13] mailed links that time has closed: the address, the magic link, the reset, the invite, the new address and its undo, the new device`, async ({
      page,
      walk,
    }) => {
      await test.step('the link of a sign-up', () => verification(page, walk))
      const person = await settled(walk.wish)
      await test.step('a magic link', () => magicLink(page, walk, person))
      await test.step('a reset', () => resetLink(page, walk, person))
      await test.step('an invite', () => invitation(page, walk, person))
      await test.step('a new address, and its undo', () => newAddress(page, walk, person))
      await test.step('a new device', () => newDevice(page, walk))
    })

    test(`[text:signin.failed] sign-ins that took too long: the second step and its set-up, a provider, single sign-on, a passkey`, async ({
      page,
      walk,
    }) => {
      await test.step('a passkey', async () => passkey(page, walk, await settled(walk.wish)))
      await walk.empty()
      await test.step('the second step', async () => secondStep(page, walk, await settled(walk.wish)))
      await test.step('a provider', () => socialSignIn(page, walk))
      await test.step('single sign-on', () => singleSignOn(page, walk))
    })

    test(`[error:impersonate] [T-41] sessions that are over: unused, in all, support's and their link; and a sign-in that is not fresh any more`, async ({
      page,
      walk,
    }) => {
      const person = await settled(walk.wish)
      await test.step('a sign-in that is not fresh', () => proof(page, walk, person))
      await test.step('a session', () => sessions(page, walk, person))
      await test.step('support', () => support(page, walk, language === 'en' ? 'support' : 'master'))
    })
  })
}
