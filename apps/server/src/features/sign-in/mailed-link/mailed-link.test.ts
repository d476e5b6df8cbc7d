import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../../../../test/harness.ts'
import { type LinkPurpose, linkHelpers } from '../../../../test/sign-in/magic-and-reset-links.ts'

const app = await makeTestApp()
const { call, people, db } = app
const { ask, link, redeem, reset, isSignedIn, waitForRequests } = linkHelpers(app)
const fresh = 'quite-another-word-7'
const rows = async (text: string, values: unknown[] = []) => (await db.asOwnerOfJobs(text, values)).rows

describe('a link works once and for one thing [T-13]', () => {
  test('of fifty parallel calls one signs in', async () => {
    const user = await people.verified()
    const { token } = await link('magic', user.email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'link_expired')).toHaveLength(49)
  })

  test('of fifty resets at once one sets its password', async () => {
    const user = await people.verified()
    const { token } = await link('reset', user.email)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => reset(token, `${fresh}-${n}`)))
    const won = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const body = { email: user.email, password: `${fresh}-${won}` }
    expect((await call('POST', '/api/auth', { body })).status).toBe(200)
  })

  test.each(['magic', 'reset'] as const)('a new %s request voids the older link', async purpose => {
    const user = await people.verified()
    const old = await link(purpose, user.email)
    const { token } = await link(purpose, user.email, old.mail.id)
    const use = (secret: string) => (purpose === 'magic' ? redeem(secret) : reset(secret, fresh))
    expect((await use(old.token)).body.code).toBe('link_expired')
    expect((await use(token)).status).toBe(200)
  })

  test('a link of one kind does not work as another, and stays valid for its own', async () => {
    const user = await people.signUp()
    const verify = await people.linkToken(user.email)
    const { token: magic, mail } = await link('magic', user.email)
    const { token: other } = await link('reset', user.email, mail.id)
    const uses = {
      verify: (token: string) => call('POST', '/api/user/verify', { token: user.token, body: { token } }),
      magic: (token: string) => redeem(token),
      reset: (token: string) => reset(token, fresh),
    }
    for (const [kind, token] of [
      ['verify', magic],
      ['verify', other],
      ['magic', verify],
      ['magic', other],
      ['reset', verify],
      ['reset', magic],
    ] as const)
      expect((await uses[kind](token)).body.code, `${kind}`).toBe('link_expired')
    for (const purpose of ['magic', 'reset'] as const)
      for (const token of [verify, purpose === 'magic' ? other : magic])
        expect((await look(token, purpose)).body.code).toBe('link_expired')
    expect((await uses.verify(verify)).status).toBe(200)
    expect((await uses.magic(magic)).status).toBe(200)
    expect((await uses.reset(other)).status).toBe(200)
  })

  test('an address that was changed voids its links, also when it is changed back', async () => {
    const user = await people.signUp()
    const { token } = await link('magic', user.email)
    for (const email of [freshEmail(), user.email])
      await call('PATCH', '/api/user', { token: user.token, body: { email } })
    expect((await redeem(token)).body.code).toBe('link_expired')
  })

  test('only the hash of the token is stored', async () => {
    const user = await people.verified()
    const { token } = await link('magic', user.email)
    const found = await rows(
      "select 1 from mailed_tokens t, pgboss.job j where t::text like '%' || $1 || '%' or j.data::text like '%' || $1 || '%'",
      [token],
    )
    expect(found).toEqual([])
    const asked = await rows("select 1 from pgboss.job where data::text like '%' || $1 || '%'", [user.email])
    expect(asked).toEqual([])
  })
})

const look = (token: string, purpose: LinkPurpose, session?: string) =>
  call('POST', '/api/auth/link', { token: session, body: { token, purpose } })

describe('looking at a link [call:POST /api/auth/link] [T-04] [T-05]', () => {
  test('shows its address and whether another user is signed in; it stays valid', async () => {
    const [user, other] = [await people.verified(), await people.verified()]
    const { token } = await link('magic', user.email)
    const looks = [await look(token, 'magic'), await look(token, 'magic', user.token)]
    for (const { status, data } of looks)
      expect([status, data]).toEqual([200, { email: user.email, other_user: false }])
    expect((await look(token, 'magic', other.token)).data.other_user).toBe(true)
    expect((await look(token, 'magic', 'dead')).data.other_user).toBe(false)
    expect((await redeem(token, other.token)).status).toBe(200)
    expect((await look(token, 'magic')).body.code).toBe('link_expired')
  })

  test('link scanners do not use the link up', async () => {
    const user = await people.verified()
    const { token } = await link('magic', user.email)
    for (let n = 0; n < 5; n++) {
      await app.app.inject({ method: 'GET', url: `/magic?token=${token}` })
      await app.app.inject({ method: 'HEAD', url: `/magic?token=${token}` })
      await app.app.inject({ method: 'GET', url: `/api/auth/magic/verify?token=${token}` })
    }
    const { data } = await redeem(token)
    expect(await isSignedIn(data.token)).toBe(true)
  })
})

describe('requests', () => {
  test('an address without a user gets nothing', async () => {
    const email = freshEmail('nobody')
    await ask('magic', email)
    await ask('reset', email)
    await waitForRequests()
    const { port } = new URL(app.config.sandboxUrl ?? '')
    const inbox = await fetch(`http://127.0.0.1:${port}/sandbox/inbox?to=${encodeURIComponent(email)}`)
    expect(((await inbox.json()) as { data: unknown[] }).data).toEqual([]) // as: the sandbox's answer
  })

  test.each([
    'no-at',
    'two@@plinth.example',
    'a@b@plinth.example',
    'a,b@plinth.example',
    '<a@plinth.example>',
    'a＠plinth.example',
    'a@plinth.example\nbcc: b@c.example',
    'ı@plınth.example',
  ])('%j is no address [T-23]', async email => {
    for (const purpose of ['magic', 'reset'] as const) {
      const { status, body } = await ask(purpose, email)
      expect([status, body.inputError]).toEqual([422, 'email'])
    }
  })
})
