import type { Page } from '@playwright/test'
import { devtoolsOf } from '../support/browser/devtools.ts'
import { openAs } from '../support/browser/session.ts'
import { screensOfRole, waitForScreen } from '../support/pages/screens.ts'
import { createMember } from '../support/people/members.ts'
import {
  createOnboardedPerson,
  createPersonWithPlan,
  createUnverifiedPerson,
  createVerifiedPerson,
  type Person,
} from '../support/people/people.ts'
import { createSubscriber } from '../support/people/subscribers.ts'
import { expect, test } from '../support/test.ts'
import { textsOf } from '../support/texts.ts'

const t = textsOf('en')

/** A fifth of the limit that Web Vitals call good. */
const allowed = 0.02

type Shift = { value: number; moved: string[] }

/** Adds up the layout shifts of each document from its first paint. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
          value: number
          hadRecentInput: boolean
          sources: { node?: Element; previousRect: DOMRect; currentRect: DOMRect }[]
        } // as: the type of this kind of entry is not in the DOM library
        if (hadRecentInput) continue
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName}.${(node as Element | null)?.className} ${previousRect.y} -> ${currentRect.y}`, // as: text nodes have no class
        )
        shifts.push({ value, moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Delays each call by 400 ms, so that the screen is drawn before its data arrives. */
async function delayCalls(page: Page): Promise<void> {
  const session = await devtoolsOf(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

async function expectNoShift(page: Page, path: string): Promise<void> {
  await waitForScreen(page)
  await page.waitForLoadState('networkidle')
  const shifts = await page.evaluate(() => (window as Window & { shifts?: Shift[] }).shifts ?? []) // as: set above
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect.soft(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(allowed)
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} pixels wide`, () => {
    test.use({ viewport })
    test.beforeEach(async ({ page }) => {
      await recordShifts(page)
      await delayCalls(page)
    })

    test('no layout shift on the screens before the sign-in', async ({ page, consoleGuard }) => {
      test.slow()
      consoleGuard.allowStatus(404, 422)
      for (const { path } of screensOfRole(null)) {
        await page.goto(path)
        await expectNoShift(page, path)
      }
    })

    test('no layout shift on the screens of the sign-up', async ({ page }) => {
      test.slow()
      const screens: [string, () => Promise<Person>][] = [
        ['/signup/verify', createUnverifiedPerson],
        ['/signup/plan', createVerifiedPerson],
        ['/signup/plan?id=startup', createVerifiedPerson],
        ['/welcome', createPersonWithPlan],
        ['/welcome?page=2', createPersonWithPlan],
      ]
      for (const [path, person] of screens) {
        await openAs(page, await person(), path)
        await expectNoShift(page, path)
      }
    })

    test('no layout shift on the screens of the app', async ({ page, consoleGuard }) => {
      test.slow()
      consoleGuard.allowStatus(404)
      const owner = await createSubscriber({ plan: 'startup' })
      await createMember(owner, 'admin')
      const open = screensOfRole('owner').filter(
        ({ needs, path }) => needs && !/^\/(signup|welcome)/.test(path),
      )
      for (const { path } of open) {
        await openAs(page, owner, path)
        await expectNoShift(page, path)
      }
      // After a sign-in with the backup code every screen has a banner.
      await page.evaluate(() => localStorage.setItem('plinth.backup_spent', '1'))
      for (const path of ['/dashboard', '/account/profile']) {
        await page.goto(path)
        await expect(page.getByText(t('two_factor.backup_used'))).toBeVisible()
        await expectNoShift(page, `${path} below the banner`)
      }
      await openAs(page, await createOnboardedPerson(), '/account/billing')
      await expectNoShift(page, '/account/billing on the free plan')
    })
  })
}
