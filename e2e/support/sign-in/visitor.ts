import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { clearBrowser } from '../browser/session.ts'
import { button, field, heading, passwordField, toast } from '../pages/elements.ts'
import { expectFitsAndAccessible } from '../pages/expectations.ts'
import type { ClockServer } from '../server/server-clock.ts'
import { expect } from '../test.ts'
import { type Language, textsOf } from '../texts.ts'

/** Actions and expectations of a person who signs in, in one language, on one server. */
export function createVisitor(page: Page, language: Language, { url: serverUrl, setOffset }: ClockServer) {
  const t = textsOf(language)
  const link = (to: string) => page.getByRole('link', { name: to, exact: true })
  return {
    t,
    link,
    serverUrl,
    setOffset,
    language,
    /** Moves the clock of the server ahead while `run` runs. */
    async withClockAhead(ms: number, run: () => Promise<void>): Promise<void> {
      await setOffset(ms)
      await run()
      await setOffset(0)
    },
    /** Leaves the page before the clock moves, so that the open page sends no request after its session expired. */
    async leaveAndReturnLater(ms: number, run: () => Promise<void>): Promise<void> {
      await page.goto('about:blank')
      await this.withClockAhead(ms, run)
    },
    /** Moves the clock ahead between a POST of the browser and its arrival at the server. Resets it after `run`. */
    async withDelayedRequest(path: string, ms: number, run: () => Promise<void>): Promise<void> {
      await page.route(
        url => url.pathname === path,
        async route => {
          if (route.request().method() === 'POST') await setOffset(ms)
          await route.continue()
        },
      )
      await run()
      await page.unrouteAll()
      await setOffset(0)
    },
    async expectMessage(title: string, why = ''): Promise<void> {
      const main = page.getByRole('main')
      await expect(main.getByText(title, { exact: true })).toBeVisible()
      await expect(main).toContainText(why)
      await expectFitsAndAccessible(page, title)
    },
    /** Expects the message on the open page, and again after opening the link once more. */
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
    /** With the Stripe keys of a separate server, the plan page has a card form and loads from the server. */
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
    async expectSignedOut(): Promise<void> {
      expect(await page.evaluate(() => localStorage.getItem('plinth.session'))).toBeNull()
    },
    clearBrowser: () => clearBrowser(page, serverUrl),
    personOptions: { language, serverUrl },
  }
}
export type Visitor = ReturnType<typeof createVisitor>

export const requestLink = (visitor: Visitor, path: string, email: string) =>
  callApi('POST', path, { body: { email }, language: visitor.language, serverUrl: visitor.serverUrl })
export const isSessionActive = async ({ serverUrl }: Visitor, token: string) =>
  (await callApi<{ authenticated: boolean }>('GET', '/api/auth', { token, serverUrl })).data.authenticated
