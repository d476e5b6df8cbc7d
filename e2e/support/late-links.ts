import type { Page } from '@playwright/test'
import { after } from './clock.ts'
import { alive, ask, type Walker } from './late.ts'
import { waitForLink } from './mail.ts'
import { call, freshAddress, type Person, password, settled, signedUp } from './people.ts'
import { button, expectAt, field, openAs, secret } from './steps.ts'
import { expect } from './test.ts'

export async function verification(page: Page, walk: Walker) {
  const { w } = walk
  const person = await signedUp(walk.wish)
  const { url, mail } = await waitForLink(person.email)
  await walk.late(24 * after.hours, async () => {
    await openAs(page, person, url)
    await button(page, w('auth.verify.confirm_button')).click()
    await walk.told(w('auth.verify.expired'), w('auth.verify.expired_text'))
    const known = await call<{ verified: boolean }>('GET', '/api/auth', {
      token: person.user.token,
      at: walk.at,
    })
    expect(known.data.verified).toBe(false)
    await button(page, w('auth.verify.resend')).click()
    await page.goto((await waitForLink(person.email, mail.id)).url)
    await button(page, w('auth.verify.confirm_button')).click()
    await walk.toPlans()
  })
  await walk.empty()
}

export async function magicLink(page: Page, walk: Walker, person: Person) {
  const { w } = walk
  await ask(walk, '/api/auth/magic', person.email)
  const { url } = await waitForLink(person.email, person.lastMail, '/magic')
  // Opened in time, and left open.
  await page.goto(url)
  await expect(page.getByText(w('auth.magic.as', { email: person.email }))).toBeVisible()
  await walk.late(10 * after.minutes, async () => {
    await button(page, w('auth.magic.button')).click()
    await walk.deadNowAndAgain(url, w('auth.magic.invalid'), w('auth.link.dead'))
    await walk.link(w('auth.link.to_sign_in')).click()
    await expectAt(page, '/login')
  })
}

export async function resetLink(page: Page, walk: Walker, person: Person) {
  const { w } = walk
  await ask(walk, '/api/auth/password/reset/request', person.email)
  const { url } = await waitForLink(person.email, person.lastMail, '/resetpassword')
  await page.goto(url)
  const word = 'tall-blue-harbour-42'
  await secret(page, w('auth.reset.password')).fill(word)
  await secret(page, w('auth.confirm_password')).fill(word)
  await walk.late(30 * after.minutes, async () => {
    await button(page, w('auth.reset.button')).click()
    await walk.deadNowAndAgain(url, w('auth.reset.expired'), w('auth.link.dead'))
    const body = { email: person.email, password: word }
    expect((await call('POST', '/api/auth', { body, at: walk.at })).status).toBe(422)
    await walk.link(w('auth.reset.again')).click()
    await expectAt(page, '/forgotpassword')
  })
}

export async function invitation(page: Page, walk: Walker, owner: Person) {
  const { w, at } = walk
  const email = freshAddress('late')
  const { token } = owner.user
  await call('POST', '/api/invite', { token, body: { email, permission: 'user' }, at })
  const { url } = await waitForLink(email)
  await page.goto(url)
  await field(page, w('auth.first_name')).fill('Tomas')
  await field(page, w('auth.last_name')).fill('Ribeiro')
  await secret(page, w('auth.password')).fill(password)
  await secret(page, w('auth.confirm_password')).fill(password)
  await walk.late(7 * after.days, async () => {
    await button(page, w('links.invite.button')).click()
    await walk.deadNowAndAgain(url, w('links.invite.gone'), w('links.invite.gone_text'))
    await walk.link(w('auth.sign_up.sign_in')).click()
    await expectAt(page, '/login')
    expect((await call('POST', '/api/auth', { body: { email, password }, at })).status).toBe(422)
  })
}

export async function newAddress(page: Page, walk: Walker, person: Person) {
  const { w, at } = walk
  const email = freshAddress('moved')
  const { token } = person.user
  await call('PATCH', '/api/user', { token, body: { email }, at })
  const { url, mail } = await waitForLink(email)
  const undo = await waitForLink(person.email, person.lastMail, '/signin/undo')
  await walk.late(24 * after.hours, async () => {
    await openAs(page, person, url)
    await button(page, w('links.new_address.confirm_button')).click()
    await walk.told(w('auth.verify.expired'), w('auth.verify.expired_text'))
    expect((await call('POST', '/api/auth', { body: { email, password }, at })).status).toBe(422)
    await button(page, w('auth.verify.resend')).click()
    await page.goto((await waitForLink(email, mail.id)).url)
    await button(page, w('links.new_address.confirm_button')).click()
    await expectAt(page, '/account/profile')
  })
  await walk.empty()
  await page.goto(undo.url)
  await walk.late(9 * after.days, async () => {
    await button(page, w('links.undo_email.button')).click()
    await walk.told(w('links.undo_email.dead'), w('links.undo_email.dead_text'))
    expect((await call('POST', '/api/auth', { body: { email, password }, at })).status).toBe(200)
    await walk.link(w('auth.link.to_sign_in')).click()
    await expectAt(page, '/login')
  })
}

export async function newDevice(page: Page, walk: Walker) {
  const { w, at } = walk
  const person = await settled(walk.wish)
  const body = { email: person.email, password }
  const { data } = await call<{ token: string }>('POST', '/api/auth', { body, from: '198.51.100.7', at })
  const { url } = await waitForLink(person.email, person.lastMail, '/signin/end')
  await page.goto(url)
  // The sign-in lives on while it is used, and so does what the mail offers, for a week.
  await walk.turn(6 * after.days)
  expect(await alive(walk, data.token)).toBe(true)
  await walk.late(7 * after.days, async () => {
    await button(page, w('links.end_sign_in.button')).click()
    await walk.told(w('links.end_sign_in.dead'), w('links.end_sign_in.dead_text'))
    expect(await alive(walk, data.token)).toBe(true)
    await walk.link(w('links.end_sign_in.devices')).click()
    await expectAt(page, '/login')
  })
}
