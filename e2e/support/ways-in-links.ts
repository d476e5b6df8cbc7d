import type { Page } from '@playwright/test'
import { typeCode, withSecondFactor } from './authenticator-app.ts'
import { ask, type Walker } from './late.ts'
import { waitForLink } from './mail.ts'
import { call, inTwoAccounts, type Person, planned, settled, signedIn, signedUp, verified } from './people.ts'
import { button, expectAt, expectInDefault, expectWellShown, field, heading, secret } from './steps.ts'
import { expect, test } from './test.ts'
import { fromServer, like, refusal } from './words.ts'

const fresh = 'tall-blue-harbour-42'

/** They are in, on this screen, which fits; axe has nothing to say. */
export async function cameTo(page: Page, path: string, title: string): Promise<void> {
  await expectAt(page, path)
  await expect(heading(page, title)).toBeVisible()
  await expectWellShown(page, title)
}

export const toPlans = (page: Page, { w }: Walker) => cameTo(page, '/signup/plan', w('billing.plan.title'))

/** Nobody is in before the code, whatever they came by. */
export async function throughCode(page: Page, walk: Walker, guarded: Guarded): Promise<void> {
  const { w } = walk
  await expectAt(page, '/login/otp')
  await walk.told(w('two_factor.otp.as', { email: guarded.email }))
  await walk.out()
  await typeCode(page, guarded.app.next(), w('two_factor.otp.code'))
}
type Guarded = Awaited<ReturnType<typeof withSecondFactor>>

/** Where it leads depends on who comes, and not on the door. */
async function whoever(page: Page, walk: Walker, goIn: (person: Person) => Promise<void>): Promise<void> {
  const { w, wish } = walk
  await test.step('a second factor', async () => {
    const guarded = await withSecondFactor(await settled(wish))
    await goIn(guarded)
    await throughCode(page, walk, guarded)
    await expectAt(page, '/dashboard')
    await walk.empty()
  })
  await test.step('no plan', async () => {
    await goIn(await verified(wish))
    await toPlans(page, walk)
    await walk.empty()
  })
  await test.step('several accounts', async () => {
    await goIn(await inTwoAccounts(wish))
    await cameTo(page, '/dashboard', w('dashboard.title'))
    await expectInDefault(page, '/dashboard', w('account.nav.your_menu'))
    await walk.empty()
  })
}

/** The newest link, and the dead ones: replaced by it, made up, and none. */
async function twoLinks(walk: Walker, { email, lastMail }: Person, path: string, screen: string) {
  const old = await waitForLink(email, lastMail, screen)
  await ask(walk, path, email)
  const { url } = await waitForLink(email, old.mail.id, screen)
  return { url, mail: old.mail, dead: [old.url, `${screen}?token=made-up`, screen] }
}

export async function byMagicLink(page: Page, walk: Walker): Promise<void> {
  const { w, wish, language } = walk
  await test.step('asked for, wrong, used, and used again', async () => {
    const person = await settled(wish)
    await page.goto('/login')
    await field(page, w('auth.email')).fill(person.email)
    await button(page, w('auth.sign_in.magic')).click()
    await expect(field(page, w('auth.email'))).toHaveValue(person.email)
    await button(page, w('auth.sign_in.magic_button')).click()
    await walk.told(w('auth.verify.inbox'))
    await expect(button(page, like(w('auth.link.again_in')))).toBeDisabled()
    await expect(walk.link(w('auth.verify.open_inbox'))).toBeVisible()

    const { url, mail, dead } = await twoLinks(walk, person, '/api/auth/magic', '/magic')
    expect(mail.subject).toBe({ en: 'Your sign-in link', de: 'Ihr Anmeldelink' }[language])
    await allDead(page, walk, dead, w('auth.magic.invalid'))
    await page.goto(url)
    await walk.told(w('auth.magic.as', { email: person.email }))
    await expect(page).toHaveURL(/\/magic$/)
    await button(page, w('auth.magic.button')).click()
    await expectAt(page, '/dashboard')

    await walk.empty()
    await page.goto(url)
    await walk.told(w('auth.magic.invalid'), w('auth.link.dead'))
    await walk.link(w('auth.link.to_sign_in')).click()
    await expectAt(page, '/login')
  })
  const goIn = async ({ email, lastMail }: Person) => {
    await ask(walk, '/api/auth/magic', email)
    await page.goto((await waitForLink(email, lastMail, '/magic')).url)
    await button(page, w('auth.magic.button')).click()
  }
  await whoever(page, walk, goIn)
  await test.step('an unfinished set-up', async () => {
    await goIn(await planned(wish))
    await cameTo(page, '/welcome', w('onboarding.welcome.title', { name: 'Mara' }))
    await walk.empty()
  })
  await test.step('unverified', async () => {
    const person = await signedUp(wish)
    await goIn(person)
    await expectAt(page, '/signup/plan')
    await walk.toldByToast(fromServer(language, 'auth.password_dropped'))
    const { email, password } = person
    expect((await call('POST', '/api/auth', { body: { email, password } })).status).toBe(422)
  })
}

/** Each says so; the last one is looked at whole. */
async function allDead(page: Page, { w, told }: Walker, links: string[], title: string): Promise<void> {
  for (const link of links) {
    await page.goto(link)
    await expect(page.getByRole('alert')).toContainText(title)
  }
  await told(title, w('auth.link.dead'))
}

export async function byReset(page: Page, walk: Walker): Promise<void> {
  const { w, wish, language } = walk
  const path = '/api/auth/password/reset/request'
  const choose = async (word: string) => {
    await secret(page, w('auth.reset.password')).fill(word)
    await secret(page, w('auth.confirm_password')).fill(word)
    await button(page, w('auth.reset.button')).click()
  }
  await test.step('asked for, wrong, refused, used, and used again', async () => {
    const person = await settled(wish)
    await page.goto('/login')
    await walk.link(w('auth.sign_in.forgot')).click()
    await cameTo(page, '/forgotpassword', w('auth.forgot.title'))
    // With a finger the focus stays on the heading: a field would open the keyboard over the page.
    const first = language === 'en' ? field(page, w('auth.email')) : heading(page, w('auth.forgot.title'))
    await expect(first).toBeFocused()
    await field(page, w('auth.email')).fill(person.email)
    await button(page, w('auth.forgot.button')).click()
    await walk.told(w('auth.verify.inbox'))

    const { url, mail, dead } = await twoLinks(walk, person, path, '/resetpassword')
    expect(mail.subject).toBe({ en: 'Choose a new password', de: 'Neues Passwort festlegen' }[language])
    await allDead(page, walk, dead, w('auth.reset.expired'))
    await page.goto(url)
    await expect(field(page, w('auth.email'))).toHaveValue(person.email)
    await expect(page).toHaveURL(/\/resetpassword$/)
    await choose('Password1!')
    await walk.told(refusal(language, 'password_common'))
    await choose(fresh)
    await walk.toldByToast(fromServer(language, 'auth.password_reset'))
    await expectAt(page, '/dashboard')

    await walk.empty()
    await page.goto(url)
    await walk.told(w('auth.reset.expired'), w('auth.link.dead'))
    await walk.link(w('auth.reset.again')).click()
    await expectAt(page, '/forgotpassword')
  })
  const goIn = async ({ email, lastMail }: Person) => {
    await ask(walk, path, email)
    await page.goto((await waitForLink(email, lastMail, '/resetpassword')).url)
    await choose(fresh)
  }
  await whoever(page, walk, goIn)
  await test.step('unverified', async () => {
    const person = await signedUp(wish)
    await goIn(person)
    await toPlans(page, walk)
    expect((await signedIn(person.email, fresh)).user.verified).toBe(true)
  })
}

export async function byPassword(page: Page, walk: Walker): Promise<void> {
  const { w, wish, language } = walk
  await test.step('nothing, wrong, and right', async () => {
    const person = await settled(wish)
    const word = secret(page, w('auth.password'))
    await page.goto('/login')
    await button(page, w('auth.sign_in.button')).click()
    await walk.told(w('global.form.error.required', { label: w('auth.email') }))
    await field(page, w('auth.email')).fill(person.email)
    await word.fill('limestone-2!')
    await button(page, w('auth.sign_in.button')).click()
    await walk.told(refusal(language, 'credentials_wrong'))
    await expect(word).toHaveAccessibleDescription(refusal(language, 'credentials_wrong'))
    await expect(word).toBeFocused()
    await expect(field(page, w('auth.email'))).toHaveValue(person.email)
    await word.fill(person.password)
    await page.keyboard.press('Enter')
    await expectAt(page, '/dashboard')
    await walk.empty()
  })
  await whoever(page, walk, walk.signIn)
  await test.step('unverified', async () => {
    await walk.signIn(await signedUp(wish))
    await expectAt(page, '/signup/verify')
    await walk.told(w('auth.verify.inbox'))
  })
}
