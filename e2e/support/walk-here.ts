import type { Page } from '@playwright/test'
import { type Walker, walker } from './late.ts'
import { app } from './places.ts'
import { test } from './test.ts'
import type { Language } from './words.ts'

/** Whoever walks up to the doors of the installation under test, whose clock is everybody's. */
export const walkerHere = (page: Page, language: Language): Walker =>
  walker(page, language, {
    at: app,
    turn: () => Promise.reject(new Error('This clock is not turned')),
  })

/** For journeys of such a walker, who is answered with these statuses, too. */
export const walksHere = (...provoked: number[]) =>
  test.extend<{ language: Language; walk: Walker }>({
    language: ['en', { option: true }],
    walk: async ({ page, watch, language }, use) => {
      watch.allow(...provoked)
      await use(walkerHere(page, language))
    },
  })
