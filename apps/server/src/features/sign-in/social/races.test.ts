import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../../../test/harness.ts'
import { loginErrorInUrl, openSocialBrowser, tokenInUrl } from '../../../../test/sign-in/social.ts'

const { app, people, services } = await makeTestApp()
const run = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(({ rows }) => rows),
  )
const times = <T>(count: number, go: (place: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, place) => go(place)))

test('T-56 of 50 parallel callbacks of one flow one is heard', async () => {
  const one = openSocialBrowser(app)
  const back = await one.consent(await one.visit('/auth/social/google'), { email: freshEmail() })
  const pages = await times(50, () => one.visit(back))
  expect(pages.filter(({ pathname }) => pathname === '/login/social')).toHaveLength(1)
  expect(pages.filter(page => loginErrorInUrl(page) === 'social_expired')).toHaveLength(49)
})

test('T-05 of 50 parallel uses of one sign-in token one gives a session', async () => {
  const one = openSocialBrowser(app)
  const email = freshEmail()
  const token = tokenInUrl(await one.completeAtProvider('google', { email }))
  const answers = await times(50, () => one.redeem(token))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'link_expired')).toHaveLength(49)
  const sessions = 'select 1 from sessions s join users u on u.id = s.user_id where u.email = $1'
  expect(await run(sessions, [email])).toHaveLength(1)
})

test('a new person in 50 browsers at once is one user with one account', async () => {
  const email = freshEmail()
  const ready = await times(50, async () => {
    const one = openSocialBrowser(app)
    return { one, token: tokenInUrl(await one.completeAtProvider('google', { email })) }
  })
  const answers = await Promise.all(ready.map(({ one, token }) => one.redeem(token)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ data }) => data.account_id)).size).toBe(1)
  expect(await run('select 1 from users where email = $1', [email])).toHaveLength(1)
})

test('T-38 one address by four providers, and an unproven sign-up: one proven user, nothing left of the other', async () => {
  const email = freshEmail()
  await people.signUp(email)
  const providers = ['google', 'microsoft', 'github', 'oidc']
  const ready = await times(52, async place => {
    const one = openSocialBrowser(app)
    return { one, token: tokenInUrl(await one.completeAtProvider(providers[place % 4] ?? '', { email })) }
  })
  const answers = await Promise.all(ready.map(({ one, token }) => one.redeem(token)))
  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  expect(await run('select verified_at is not null as proven from users where email = $1', [email])).toEqual([
    { proven: true },
  ])
})
