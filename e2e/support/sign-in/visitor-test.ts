import type { Page } from '@playwright/test'
import { test } from '../test.ts'
import type { Language } from '../texts.ts'
import { appUrl } from '../urls.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** Whoever walks up to the doors of the installation under test, whose clock is everybody's. */
export const createLocalVisitor = (page: Page, language: Language): Visitor =>
  createVisitor(page, language, {
    url: appUrl,
    setOffset: () => Promise.reject(new Error('This clock is not turned')),
  })

/** For journeys of such a walker, who is answered with these statuses, too. */
export const visitorTest = (...provoked: number[]) =>
  test.extend<{ language: Language; visitor: Visitor }>({
    language: ['en', { option: true }],
    visitor: async ({ page, consoleGuard, language }, use) => {
      consoleGuard.allowStatus(...provoked)
      await use(createLocalVisitor(page, language))
    },
  })
