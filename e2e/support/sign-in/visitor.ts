import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { clearBrowser } from '../browser/session.ts'
import { button, field, heading, passwordField, toast } from '../pages/elements.ts'
import { expectFitsAndAccessible } from '../pages/expectations.ts'
import type { ClockServer } from '../server/server-clock.ts'
import { expect } from '../test.ts'
import { type Language, textsOf } from '../texts.ts'

/** Whoever walks up to doors that time has closed. */
export function createVisitor(page: Page, language: Language, { url: serverUrl, setOffset }: ClockServer) {
  const t = textsOf(language)
  const link = (to: string) => page.getByRole('link', { name: to, exact: true })
  return {
    t,
    link,
    serverUrl,
    setOffset,
    language,
    /** As it is for a person who comes too late: the clock is turned for as long as `look` takes. */
    async withClockAhead(ms: number, look: () => Promise<void>): Promise<void> {
      await setOffset(ms)
      await look()
      await setOffset(0)
    },
    /** As it is for who left the page and comes back: what stood there has not seen the time pass, and asked nothing. */
    async leaveAndReturnLater(ms: number, look: () => Promise<void>): Promise<void> {
      await page.goto('about:blank')
      await this.withClockAhead(ms, look)
    },
    /**
     * The time passes just as the browser sends this: after what the person did, before the server hears of it. The
     * clock stays turned for as long as `look` takes.
     */
    async withDelayedRequest(path: string, ms: number, look: () => Promise<void>): Promise<void> {
      await page.route(
        url => url.pathname === path,
        async route => {
          if (route.request().method() === 'POST') await setOffset(ms)
          await route.continue()
        },
      )
      await look()
      await page.unrouteAll()
      await setOffset(0)
    },
    /** The screen says what happened and why, fits, and axe has nothing to say. */
    async expectMessage(title: string, why = ''): Promise<void> {
      const main = page.getByRole('main')
      await expect(main.getByText(title, { exact: true })).toBeVisible()
      await expect(main).toContainText(why)
      await expectFitsAndAccessible(page, title)
    },
    /** Pressed too late on a page that was opened in time, and opened again: it says the same. */
    async expectMessageTwice(url: string, title: string, why: string): Promise<void> {
      await this.expectMessage(title, why)
      await this.expectSignedOut()
      await page.goto(url)
      await this.expectMessage(title, why)
    },
    async expectToast(title: string): Promise<void> {
      await expect(toast(page, title, language)).toBeVisible()
      await expectFitsAndAccessible(page, title)
    },
    /** The plans' screen takes cards: with real keys, as the server with the turned clock has them, its page comes anew from the server. */
    async expectPlanPage(): Promise<void> {
      await page.waitForFunction(path => {
        const [loaded] = performance.getEntriesByType('navigation')
        return loaded && new URL(loaded.name).pathname === path
      }, '/signup/plan')
      await expect(heading(page, t('billing.plan.title'))).toBeVisible()
    },
    signIn: async (person: { email: string; password: string }) => {
      await page.goto('/login')
      await field(page, t('auth.email')).fill(person.email)
      await passwordField(page, t('auth.password')).fill(person.password)
      await button(page, t('auth.sign_in.button')).click()
    },
    /** Nobody is signed in in this browser. */
    async expectSignedOut(): Promise<void> {
      expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
    },
    /** Nobody was signed in here before. */
    clearBrowser: () => clearBrowser(page, serverUrl),
    personOptions: { language, serverUrl },
  }
}
export type Visitor = ReturnType<typeof createVisitor>

export const requestLink = (visitor: Visitor, path: string, email: string) =>
  callApi('POST', path, { body: { email }, language: visitor.language, serverUrl: visitor.serverUrl })
export const isSessionActive = async ({ serverUrl }: Visitor, token: string) =>
  (await callApi<{ authenticated: boolean }>('GET', '/api/auth', { token, serverUrl })).data.authenticated
