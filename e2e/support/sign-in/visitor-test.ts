import type { Page } from '@playwright/test'
import { test } from '../test.ts'
import type { Language } from '../texts.ts'
import { appUrl } from '../urls.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** A visitor of the main server, whose clock cannot be moved because all tests share it. */
export const createLocalVisitor = (page: Page, language: Language): Visitor =>
  createVisitor(page, language, {
    url: appUrl,
    setOffset: () => Promise.reject(new Error('The clock of the main server cannot be moved')),
  })

/** A test with a visitor of the main server; the statuses are expected responses. */
export const visitorTest = (...expectedStatuses: number[]) =>
  test.extend<{ language: Language; visitor: Visitor }>({
    language: ['en', { option: true }],
    visitor: async ({ page, consoleGuard, language }, use) => {
      consoleGuard.allowStatus(...expectedStatuses)
      await use(createLocalVisitor(page, language))
    },
  })
