import { type Walker, walker } from './support/late.ts'
import { app } from './support/places.ts'
import { test as base } from './support/test.ts'
import {
  appCode,
  backupCode,
  guessedCode,
  switchTooLate,
  switchWithoutPlan,
} from './support/ways-in-sessions.ts'
import { type Language, ways } from './support/words.ts'

const test = base.extend<{ language: Language; walk: Walker }>({
  language: ['en', { option: true }],
  walk: async ({ page, watch, language }, use) => {
    // What they provoke: wrong codes, sessions that are over, accounts that are closed to them or gone.
    watch.allow(401, 403, 404, 409, 422)
    const turn = () => Promise.reject(new Error('Nobody turns the clock of the installation under test'))
    await use(walker(page, language, { at: app, turn }))
  },
})

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
  })
}
