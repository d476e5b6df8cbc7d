import { openAs } from '../support/browser/session.ts'
import { button, heading } from '../support/pages/elements.ts'
import { expectPath } from '../support/pages/expectations.ts'
import { createPersonWithPlan } from '../support/people/people.ts'
import { expect, test } from '../support/test.ts'

test('[screen:onboarding.wizard] [layout:onboarding-steps] [const:onboarding.per-page] [route:/welcome?page=] each step is a page, the step list opens each, and the last one is kept', async ({
  page,
}) => {
  await openAs(page, await createPersonWithPlan(), '/welcome')
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Step 1 of 2' })).toBeVisible()
  await expect(button(page, 'Prev')).toHaveCount(0)
  await button(page, 'Next').click()
  await expect(page).toHaveURL(/page=2$/)
  await expect(heading(page, 'Invite your team')).toBeFocused()

  await page.goto('/welcome')
  await expect(heading(page, 'Invite your team')).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Welcome/ })
    .click()
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
  await page.goBack()
  await expect(heading(page, 'Invite your team')).toBeVisible()
  await button(page, 'Prev').click()
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
})

test('[text:onboarding.empty] [route:/welcome?page=] a page number out of range shows an empty state with a link to the first step', async ({
  page,
}) => {
  await openAs(page, await createPersonWithPlan(), '/welcome?page=9')
  await expect(page.getByText('Nothing to show')).toBeVisible()
  await page.goto('/welcome?page=two')
  await expect(page.getByText('Nothing to show')).toBeVisible()
  await button(page, 'Go to the first step').click()
  await expect(heading(page, 'Welcome, Mara')).toBeVisible()
})

test('[state:onboarding.skip] [layout:onboarding-skip] [feature:events] skipping is recorded, and later sign-ins open the dashboard', async ({
  page,
}) => {
  const person = await createPersonWithPlan()
  await openAs(page, person, '/welcome')
  const event = page.waitForResponse(answer => answer.url().endsWith('/api/event'))
  await button(page, 'Skip Intro').click()
  await expectPath(page, '/dashboard')
  const recorded = await event
  expect(recorded.ok()).toBe(true)
  expect(recorded.request().postDataJSON()).toEqual({
    name: 'cancelled_onboarding',
    metadata: { step: 'welcome' },
  })
  await page.goto('/')
  await expectPath(page, '/dashboard')
})

test('[state:onboarding.finish] [error:other] when the last step can’t be saved, the screen stays and the step can be repeated', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowStatus(500)
  await openAs(page, await createPersonWithPlan(), '/welcome?page=2')
  await page.route('**/api/user', route =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { message: 'Not now' } })
      : route.fallback(),
  )
  await button(page, 'Finish').click()
  await expect(page.getByText('Not now').first()).toBeVisible()
  await expectPath(page, '/welcome')
  await page.unroute('**/api/user')
  await button(page, 'Finish').click()
  await expectPath(page, '/dashboard')
})
