import type { Page } from '@playwright/test'
import { withSecondFactor } from './authenticator-app.ts'
import { after } from './clock.ts'
import { alive, type Walker } from './late.ts'
import { call, demo, demoPassword, type Person, patch, settled, signedIn } from './people.ts'
import { expectAt, expectWellShown, heading, openAs, secret } from './steps.ts'
import { expect } from './test.ts'

/** The sign-in screen, the reason, and the same page again after the sign-in. */
async function sessionOver(page: Page, walk: Walker, person: Person) {
  await page.goto('/account/profile')
  await expectAt(page, '/login')
  await walk.toldByToast(walk.w('global.error.session_title'))
  await walk.out()
  expect(await alive(walk, person.user.token)).toBe(false)
}

export async function sessions(page: Page, walk: Walker, person: Person) {
  const { w, at } = walk
  const { token } = person.user
  const use = () => alive(walk, token)
  await openAs(page, person, '/dashboard')
  await expect(heading(page, w('dashboard.title'))).toBeVisible()
  // In use it goes on, but not for ever.
  for (let days = 6; days < 30; days += 6) {
    await walk.turn(days * after.days)
    expect(await use()).toBe(true)
  }
  await walk.turn(30 * after.days - after.minutes)
  expect(await use()).toBe(true)
  await walk.lateBack(30 * after.days, () => sessionOver(page, walk, person))

  const idle = await signedIn(person.email, person.password, at)
  await openAs(page, { ...idle, user: { ...person.user, ...idle.user } }, '/dashboard')
  await expect(heading(page, w('dashboard.title'))).toBeVisible()
  await walk.lateBack(7 * after.days + after.minutes, async () => {
    await sessionOver(page, walk, idle)
    await walk.signIn(person)
    await expectAt(page, '/account/profile')
  })
  await walk.empty()
}

export async function proof(page: Page, walk: Walker, person: Person) {
  const { w } = walk
  await openAs(page, person, '/account/2fa')
  await walk.late(10 * after.minutes, async () => {
    await page.getByRole('switch', { name: w('two_factor.switch') }).click()
    const dialog = page.getByRole('dialog', { name: w('global.proof.title') })
    await expect(secret(page, w('global.proof.password'))).toBeFocused()
    await expectWellShown(page, 'a sign-in that is not fresh')
    await expect(page.getByText(w('two_factor.scan'))).toHaveCount(0)
    await secret(page, w('global.proof.password')).fill(person.password)
    await dialog.getByRole('button', { name: w('global.proof.button') }).click()
    await expect(page.getByText(w('two_factor.scan'))).toBeVisible()
  })
  await walk.empty()
}

export async function support(page: Page, walk: Walker, name: string) {
  const { w, at, language } = walk
  const found = await withSecondFactor(await signedIn(demo(name), demoPassword, at))
  await patch(found.user, { locale: language }, at)
  // What the browser keeps of somebody decides on a page's language until the server has answered.
  const master = { ...found, user: { ...found.user, locale: language } }
  const helped = await settled(walk.wish)
  await patch(helped.user, { support_enabled: true }, at)
  const made = async () => {
    const body = { email: helped.email }
    const { data } = await call<{ url: string }>('POST', '/api/impersonation', {
      token: master.user.token,
      body,
      at,
    })
    return data.url
  }
  const { token } = master.user
  const dead = await made()
  // A master's own session lies idle for a quarter of an hour at most.
  for (const minutes of [10, 20, 29]) {
    await walk.turn(minutes * after.minutes)
    expect(await alive(walk, token)).toBe(true)
  }
  await walk.late(30 * after.minutes, async () => {
    await openAs(page, master, '/account')
    await page.goto(dead)
    await expectAt(page, '/404')
    await expect(page.getByRole('heading', { level: 2, name: w('global.not_found.heading') })).toBeVisible()
    await expectWellShown(page, 'a support link that has run out')
    await walk.link(w('global.not_found.button')).click()
    await expectAt(page, '/dashboard')
  })
  await page.goto(await made())
  await expect(page.getByRole('complementary', { name: w('global.support.region') })).toBeVisible()
  await walk.lateBack(30 * after.minutes, async () => {
    await page.goto('/account/profile')
    await expectAt(page, '/login')
    await walk.toldByToast(w('global.support.ended'))
    await walk.out()
  })
  const again = await signedIn(demo(name), demoPassword, at)
  expect(again.user).toMatchObject({ '2fa_required': true })
  await openAs(page, master, '/account')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await walk.lateBack(45 * after.minutes, () => sessionOver(page, walk, master))
}
