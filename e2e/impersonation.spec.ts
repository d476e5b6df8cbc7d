import type { Page } from '@playwright/test'
import { screens } from './support/account-screens.ts'
import { withSecondFactor } from './support/authenticator-app.ts'
import type { Walker } from './support/late.ts'
import {
  call,
  demo,
  inTwoAccounts,
  type Person,
  patch,
  settled,
  signedIn,
  verified,
} from './support/people.ts'
import { go } from './support/screens.ts'
import { button, expectAt, expectInDefault, expectWellShown, heading, openAs } from './support/steps.ts'
import { expect, test } from './support/test.ts'
import { walkerHere } from './support/walk-here.ts'
import { toPlans } from './support/ways-in-links.ts'
import { type Language, refusal, ways } from './support/words.ts'

// Both ways one after the other.
test.describe.configure({ timeout: 120_000 })

type Ask = (email: string) => Promise<{ code?: string; data: { url: string } }>
type Walk = { page: Page; walk: Walker; ask: Ask; support: Person }

/** A link that does not do says nothing: there is no such page. */
async function nothingThere({ page, walk }: Pick<Walk, 'page' | 'walk'>): Promise<void> {
  await expectAt(page, '/404')
  await walk.told(walk.w('global.not_found.heading'), walk.w('global.not_found.text'))
}

async function allowed({ page, walk, ask }: Walk, helped: Person): Promise<void> {
  expect((await ask(helped.email)).code).toBe('support_not_enabled')
  await openAs(page, helped, '/account/profile')
  const consent = page.getByRole('switch', { name: walk.w('account.support.switch') })
  const saved = page.waitForResponse(answer => answer.request().method() === 'PATCH')
  await consent.click()
  await saved
  await page.reload()
  await expect(consent).toBeChecked()
  await walk.empty()
}

async function actsAs({ page, walk, ask, support }: Walk, helped: Person): Promise<void> {
  const { w, language } = walk
  const note = page.getByRole('complementary', { name: w('global.support.region') })
  const { url } = (await ask(helped.email)).data
  await test.step('where nobody is signed in, the link gives nothing', async () => {
    await page.goto(url)
    await nothingThere({ page, walk })
  })
  await test.step('support sees the banner on every page, and changes nothing', async () => {
    await openAs(page, support, '/account')
    await page.goto(url)
    await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
    expect(page.url()).not.toContain('token')
    await expect(note).toContainText(w('global.support.acting', { name: 'Ines Okafor' }))
    await expectWellShown(page, 'the dashboard with the banner')
    for (const [path, title] of [
      ['/account', w('account.nav.account')],
      ['/account/billing', w('account.nav.billing')],
      ['/account/profile', w('account.profile.title')],
    ] as const) {
      await page.goto(path)
      await expect(heading(page, title)).toBeVisible()
      await expect(note).toBeInViewport()
    }
    await page.getByRole('switch', { name: w('account.profile.dark_mode') }).click()
    await walk.toldByToast(refusal(language, 'support_not_allowed'))
  })
  await test.step('support ends it; the link, used, and none at all lead nowhere', async () => {
    await button(page, w('global.support.end')).click()
    await expectAt(page, '/login')
    await walk.toldByToast(w('global.support.ended'))
    await expect(note).toHaveCount(0)
    await walk.out()
    await openAs(page, support, '/account')
    await page.goto(url)
    await nothingThere({ page, walk })
    await page.goto('/signin/impersonate')
    await nothingThere({ page, walk })
  })
  await test.step('the user ends it by taking the consent back', async () => {
    await page.goto((await ask(helped.email)).data.url)
    await expect(note).toBeVisible()
    // What a page that stands asks meanwhile would hear of it first, and say so there.
    await page.goto('about:blank')
    await patch(helped.user, { support_enabled: false })
    await page.goto('/account/profile')
    await expectAt(page, '/login')
    await walk.toldByToast(w('global.support.ended'))
    await walk.out()
  })
  await test.step('somebody without a plan is seen where they stopped', async () => {
    const early = await verified({ language })
    await patch(early.user, { support_enabled: true })
    await openAs(page, support, '/account')
    await page.goto((await ask(early.email)).data.url)
    await toPlans(page, walk)
  })
}

test('[role:master-exempt] [route:/signin/impersonate] [screen:impersonate.spinner] [error:impersonate] [T-17] [T-41] support sees what an allowing user sees, until either of them ends it; in both languages, at a desk and on a phone', async ({
  elsewhere,
  watch,
}) => {
  watch.allow(401, 403, 422)
  const found = await signedIn(demo('support'))
  const ask = (token: string, email: string) =>
    call<{ url: string }>('POST', '/api/impersonation', { token, body: { email } })
  expect((await ask(found.user.token, demo('owner'))).code).toBe('second_factor_missing')
  const met = []
  for (const { language, where, use } of ways) {
    const page = await elsewhere(use)
    const walk = walkerHere(page, language)
    met.push({ page, walk, where })
    await test.step(`${where}: a link made up, and a sign-in without a second factor`, async () => {
      // A master without a second factor can't choose a language.
      await openAs(page, language === 'en' ? found : await settled({ language }), '/account')
      await page.goto(`/signin/impersonate?token=${'x'.repeat(43)}`)
      await nothingThere({ page, walk })
    })
  }
  const guarded = await withSecondFactor(found)
  await test.step('every screen of the account, the plans and the dashboard are open to a master', async () => {
    const page = await elsewhere()
    await openAs(page, guarded, '/account')
    for (const path of [...Object.keys(screens), '/signup/plan', '/dashboard']) {
      await go(page, path)
      await expectAt(page, path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
  for (const { page, walk, where } of met)
    await test.step(where, async () => {
      const { language } = walk
      const support = await speaking(guarded, language)
      const way = { page, walk, support, ask: (email: string) => ask(support.user.token, email) }
      // Their own second factor is not asked for: support can't have it, and has shown its own.
      const helped = await withSecondFactor(await inTwoAccounts({ first: 'Ines', language }))
      await allowed(way, helped)
      await actsAs(way, helped)
    })
})

/** What the browser keeps of somebody decides on a page's language until the server has answered. */
async function speaking(person: Person, locale: Language): Promise<Person> {
  await patch(person.user, { locale })
  return { ...person, user: { ...person.user, locale } }
}
