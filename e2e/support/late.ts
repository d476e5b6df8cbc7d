import type { Page } from '@playwright/test'
import type { Clocked } from './clock.ts'
import { call } from './people.ts'
import { button, emptied, expectWellShown, field, heading, secret, toast } from './steps.ts'
import { expect } from './test.ts'
import { type Language, wordsOf } from './words.ts'

/** Whoever walks up to doors that time has closed. */
export function walker(page: Page, language: Language, { at, turn }: Clocked) {
  const w = wordsOf(language)
  const link = (to: string) => page.getByRole('link', { name: to, exact: true })
  return {
    w,
    link,
    at,
    turn,
    language,
    /** As it is for a person who comes too late: the clock is turned for as long as `look` takes. */
    async late(ms: number, look: () => Promise<void>): Promise<void> {
      await turn(ms)
      await look()
      await turn(0)
    },
    /** As it is for who left the page and comes back: what stood there has not seen the time pass, and asked nothing. */
    async lateBack(ms: number, look: () => Promise<void>): Promise<void> {
      await page.goto('about:blank')
      await this.late(ms, look)
    },
    /**
     * The time passes just as the browser sends this: after what the person did, before the server hears of it. The
     * clock stays turned for as long as `look` takes.
     */
    async lateAt(path: string, ms: number, look: () => Promise<void>): Promise<void> {
      await page.route(
        url => url.pathname === path,
        async route => {
          if (route.request().method() === 'POST') await turn(ms)
          await route.continue()
        },
      )
      await look()
      await page.unrouteAll()
      await turn(0)
    },
    /** The screen says what happened and why, fits, and axe has nothing to say. */
    async told(title: string, why = ''): Promise<void> {
      const main = page.getByRole('main')
      await expect(main.getByText(title, { exact: true })).toBeVisible()
      await expect(main).toContainText(why)
      await expectWellShown(page, title)
    },
    /** Pressed too late on a page that was opened in time, and opened again: it says the same. */
    async deadNowAndAgain(url: string, title: string, why: string): Promise<void> {
      await this.told(title, why)
      await this.out()
      await page.goto(url)
      await this.told(title, why)
    },
    async toldByToast(title: string): Promise<void> {
      await expect(toast(page, title, language)).toBeVisible()
      await expectWellShown(page, title)
    },
    /** The plans' screen takes cards: with real keys, as the server with the turned clock has them, its page comes anew from the server. */
    async toPlans(): Promise<void> {
      await page.waitForFunction(path => {
        const [loaded] = performance.getEntriesByType('navigation')
        return loaded && new URL(loaded.name).pathname === path
      }, '/signup/plan')
      await expect(heading(page, w('billing.plan.title'))).toBeVisible()
    },
    signIn: async (person: { email: string; password: string }) => {
      await page.goto('/login')
      await field(page, w('auth.email')).fill(person.email)
      await secret(page, w('auth.password')).fill(person.password)
      await button(page, w('auth.sign_in.button')).click()
    },
    /** Nobody is signed in in this browser. */
    async out(): Promise<void> {
      expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
    },
    /** Nobody was signed in here before. */
    empty: () => emptied(page, at),
    wish: { language, at },
  }
}
export type Walker = ReturnType<typeof walker>

export const ask = (walk: Walker, path: string, email: string) =>
  call('POST', path, { body: { email }, language: walk.language, at: walk.at })
export const alive = async ({ at }: Walker, token: string) =>
  (await call<{ authenticated: boolean }>('GET', '/api/auth', { token, at })).data.authenticated
