import { describe, expect, test } from 'vitest'
import { makeTestApp, password } from '../../../test/harness.ts'
import { openSocialBrowser, tokenInUrl } from '../../../test/sign-in/social.ts'
import { ssoHelpers } from '../../../test/sign-in/sso.ts'

const made = await makeTestApp()
const { app, call, people, db, config } = made
const sso = ssoHelpers(made)
let counter = 0
const freshMike = () => `mike-${process.pid}-${counter++}@likes.example`

/** The address with one character replaced by another that some fold takes for the same. */
const lookalikesOf = (email: string) => [
  email.replace('k', '\u212a'), // KELVIN SIGN
  email.replace('ikes.', 'ike\u017f.'), // LONG S
  email.replace('i', '\u0130'), // I with a dot
  email.replace('i', '\u0131'), // dotless i
  email.replace('m', '\uff4d'), // full-width m
  email.replace('likes', '\uff4cikes'),
  email.replace('e', 'e\u0301'), // a combining mark
  email.replace('i', 'i\u200d'), // a character without width
]

const victim = await people.verified(freshMike())
const lookalikes = lookalikesOf(victim.email)
async function mailsToVictim(): Promise<number> {
  const to = encodeURIComponent(victim.email)
  const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${to}`)
  const { data } = (await reply.json()) as { data: unknown[] } // as: the sandbox's answer
  return data.length
}
const owner = await people.owner()

const names = { first_name: 'Mallory', last_name: 'Strand' }
const both = { password, confirm_password: password }
const calls: [string, (email: string) => ReturnType<typeof call>][] = [
  ['password', email => call('POST', '/api/auth', { body: { email, password } })],
  ['magic link', email => call('POST', '/api/auth/magic', { body: { email } })],
  ['reset', email => call('POST', '/api/auth/password/reset/request', { body: { email } })],
  ['sign-up', email => call('POST', '/api/account', { body: { ...names, email, password } })],
  ['e-mail change', email => call('PATCH', '/api/user', { token: owner.token, body: { email } })],
  ['invite', email => call('POST', '/api/invite', { token: owner.token, body: { email } })],
  [
    'several invites',
    email => call('POST', '/api/invite', { token: owner.token, body: { email: `a@b.example, ${email}` } }),
  ],
  [
    'a user made with a password',
    email =>
      call('POST', '/api/invite', {
        token: owner.token,
        body: { ...names, ...both, email, bypass_signup: true },
      }),
  ],
]

describe('an address that differs only in Unicode characters is another address [T-23]', () => {
  test.each(calls)('%s: refused at the field, and the other mailbox gets no mail', async (_, ask) => {
    const before = await mailsToVictim()
    for (const lookalike of lookalikes) {
      const { status, body } = await ask(lookalike)
      expect([status, body.inputError], lookalike).toEqual([422, 'email'])
    }
    expect(await mailsToVictim()).toBe(before)
  })

  test.each(['google', 'oidc', 'github'])('%s states it: no sign-in and no link', async provider => {
    for (const email of lookalikes) {
      const browser = openSocialBrowser(app)
      const { body } = await browser.redeem(tokenInUrl(await browser.completeAtProvider(provider, { email })))
      expect(body.code, email).toBe('social_email_missing')
    }
    const { rows } = await db.asOwnerOfJobs('select id from identities where user_id = $1', [victim.id])
    expect(rows).toEqual([])
  })

  test('SAML states it in an attribute or the NameID: no sign-in', async () => {
    const company = await sso.company()
    const member = await people.verified(sso.address(company, 'mike'))
    await db.asOwnerOfJobs("insert into memberships (account_id, user_id, role) values ($1, $2, 'user')", [
      company.owner.account_id,
      member.id,
    ])
    for (const email of [member.email.replace('k', '\u212a'), member.email.replace('i', '\u0131')]) {
      const answer = await sso.signIn(company, { email })
      expect([answer.status, answer.data?.id], email).not.toEqual([200, member.id])
      expect(answer.status, email).not.toBe(200)
    }
    expect((await sso.signIn(company, { email: member.email })).status).toBe(200)
  })

  test('a search for it finds no user, one for the stored address does', async () => {
    const { email } = await people.member(owner, 'user')
    const find = async (search: string) =>
      (await call('GET', `/api/account/users?search=${encodeURIComponent(search)}`, { token: owner.token }))
        .data
    expect((await find(email.toUpperCase())).users).toHaveLength(1)
    expect((await find(email.replace('s', '\u017f'))).users).toEqual([])
  })

  test('the database refuses every other spelling', async () => {
    const insert = (email: string) =>
      db.asOwnerOfJobs(
        "insert into users (id, email, first_name, last_name) values (gen_random_uuid(), $1, 'M', 'P')",
        [email],
      )
    for (const email of [...lookalikes, freshMike().toUpperCase(), 'ada@münchen.example', 'a b@c.example'])
      await expect(insert(email), email).rejects.toThrow('users_email_check')
  })
})

describe('an international domain works at every call [rule:form.email]', () => {
  const typed = (name: string) => `${name}-${process.pid}-${counter++}@München.example`
  const withUpperDomain = (address: string) => address.toLowerCase().replace('münchen', 'xn--mnchen-3ya')

  test('sign-up, verification, sign-in, magic link and reset, in either spelling', async () => {
    const email = typed('ada')
    const user = await people.signUp(email)
    const mail = await people.mailTo(withUpperDomain(email))
    expect(mail.text).toContain(email.toLowerCase())
    const token = await people.linkToken(withUpperDomain(email))
    expect((await call('POST', '/api/user/verify', { token: user.token, body: { token } })).status).toBe(200)
    for (const spelling of [email, withUpperDomain(email), ` ${email.toUpperCase()}\u200b`]) {
      const signedIn = await call('POST', '/api/auth', { body: { email: spelling, password } })
      expect([signedIn.status, signedIn.data?.id]).toEqual([200, user.id])
    }
    await call('POST', '/api/auth/magic', { body: { email } })
    expect((await people.mailTo(withUpperDomain(email), mail.id)).subject).toContain('sign')
    expect((await call('POST', '/api/auth/password/reset/request', { body: { email } })).status).toBe(200)
  })

  test('an invite is sent to the stored address, and a search finds the domain in Unicode', async () => {
    const email = typed('ines')
    const by = await people.owner()
    const { data } = await call('POST', '/api/invite', { token: by.token, body: { email } })
    expect(data).toMatchObject([{ email: withUpperDomain(email), result: 'sent' }])
    for (const search of ['münchen.example', email, withUpperDomain(email)]) {
      const { data: found } = await call('GET', `/api/account/users?search=${encodeURIComponent(search)}`, {
        token: by.token,
      })
      expect(found.invites, search).toHaveLength(1)
    }
  })

  test('a domain is verified for single sign-on under its A-labels', async () => {
    const company = await sso.newCompany()
    const { domains } = await sso.api('POST', '/api/sso/domains', company, {
      domain: `Bücher-${process.pid}.example.`,
    })
    expect(domains[0]?.record_name).toMatch(/^_plinth\.xn--bcher-[a-z0-9-]+\.example$/)
  })

  test('both spellings of an address share one limit', async () => {
    const limited = await makeTestApp({ RATE_LIMIT_FACTOR: '1' })
    const by = await limited.people.owner()
    const email = typed('limit')
    const statuses = []
    for (const spelling of [
      email,
      withUpperDomain(email),
      email.toUpperCase(),
      email,
      withUpperDomain(email),
      email,
    ])
      statuses.push(
        (await limited.call('POST', '/api/invite', { token: by.token, body: { email: spelling } })).status,
      )
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})
