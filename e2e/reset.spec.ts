import { waitForLink, waitForMail } from './support/mail.ts'
import { call, settled, signedIn, verified } from './support/people.ts'
import { button, expectAt, labels, openAs, secret, signIn } from './support/steps.ts'
import { expect, test } from './support/test.ts'

const fresh = 'tall-blue-harbour-42'

async function linkFor(person: { email: string; lastMail: string }) {
  await call('POST', '/api/auth/password/reset/request', { body: { email: person.email } })
  return waitForLink(person.email, person.lastMail, '/resetpassword')
}

test('[call:POST /api/auth/password/reset] a new password signs every other device out, which comes back by it, and is told by mail', async ({
  page,
  watch,
}) => {
  watch.allow(401, 422)
  const person = await settled()
  await openAs(page, person, '/account')
  const { token, mail } = await linkFor(person)
  const body = { email: person.email, password: fresh, confirm_password: fresh, jwt: token }
  expect((await call('POST', '/api/auth/password/reset', { body })).status).toBe(200)
  expect((await waitForMail(person.email, mail.id)).subject).toBe('Your password was changed')

  await page.reload()
  await expectAt(page, '/login')
  await signIn(page, person)
  await expect(secret(page, labels.password)).toHaveAccessibleDescription(/don’t match/)
  await signIn(page, { email: person.email, password: fresh })
  // Back to where the session ended.
  await expectAt(page, '/account')
})

test('[rule:password.complex] [rule:form.password.complex] [rule:form.password.matches] what a password must be is told at its field, and the link stays good', async ({
  page,
  watch,
}) => {
  watch.allow(422)
  const person = await verified()
  const { url } = await linkFor(person)
  await page.goto(url)
  const word = secret(page, 'New password')
  for (const [typed, said] of [
    ['limestone1', 'Add at least one special character, such as ! or ?'],
    ['Password1!', /too common/],
    ['Okafor-2026', /easy to guess/],
  ] as const) {
    await word.fill(typed)
    await secret(page, labels.again).fill(typed)
    await button(page, 'Save and sign in').click()
    await expect(word).toHaveAccessibleDescription(said)
  }
  await word.fill(fresh)
  await expect(secret(page, labels.again)).toHaveAccessibleDescription('Passwords do not match')
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/signup/plan')
})

test('[T-05] who is signed in as somebody else is told whom it makes them', async ({ page }) => {
  const [person, other] = [await settled(), await settled({ first: 'Tomas' })]
  const { url } = await linkFor(person)
  await openAs(page, other, url)
  await expect(page.getByText('Tomas Okafor is signed in here')).toBeVisible()
  await secret(page, 'New password').fill(fresh)
  await secret(page, labels.again).fill(fresh)
  await button(page, 'Save and sign in').click()
  await expectAt(page, '/dashboard')
  expect((await signedIn(person.email, fresh)).user.name).toBe('Mara Okafor')
})
