import { expect, test } from 'vitest'
import { expectMail } from '../../../test/harness/expect-mail.ts'
import { makeTestApp, password } from '../../../test/harness.ts'
import { linkHelpers } from '../../../test/sign-in/magic-and-reset-links.ts'
import { passkeyHelpers } from '../../../test/sign-in/passkeys.ts'
import { openSocialBrowser, tokenInUrl } from '../../../test/sign-in/social.ts'
import { openSsoBrowser, ssoHelpers } from '../../../test/sign-in/sso.ts'
import { enableTwoFactor } from '../../../test/sign-in/two-factor.ts'

const made = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { app, call, config, db, people } = made
const { link } = linkHelpers(made)
const { device } = passkeyHelpers(made)
const sso = ssoHelpers(made)
const rows = async (text: string, values: unknown[]) => (await db.asOwnerOfJobs(text, values)).rows

/** A browser and a network that the user was never seen with. */
const elsewhere = {
  'x-forwarded-for': '198.51.100.7',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
}
type Person = { email: string; token: string }
type Answer = { status: number; data: { id: string; account_id: string } }
const from = (url: string, body: object, cookies = {}): Promise<Answer> =>
  call('POST', url, { body, headers: { ...cookies, ...elsewhere } })

/**
 * The sign-in methods of a known user elsewhere. A reset has its own mail about the new password: it forgets all
 * devices and leaves one session.
 */
const signInMethods: Record<string, (user: Person) => Promise<Answer>> = {
  password: ({ email }) => from('/api/auth', { email, password }),
  'magic link': async ({ email }) =>
    from('/api/auth/magic/verify', { token: (await link('magic', email)).token }),
  async passkey({ token }) {
    const { passkey } = await device().register(token)
    const other = device()
    const credential = other.show(await other.beginSignIn(), passkey)
    return other.call('POST', '/api/auth/passkey', { body: { credential }, headers: elsewhere })
  },
  async social({ email }) {
    const other = openSocialBrowser(app)
    const to = await other.completeAtProvider('google', { email, email_verified: true })
    return other.redeem(tokenInUrl(to), elsewhere)
  },
  async 'single sign-on'() {
    const company = await sso.company()
    const person = { email: sso.address(company) }
    expect((await sso.signIn(company, person)).status).toBe(200)
    const other = openSsoBrowser(made)
    const { location } = await sso.start(other, company)
    const { token } = await sso.post(await sso.answer(location, person))
    return from('/auth/saml/callback', { token }, other.headers())
  },
  async 'the second step'(user) {
    const { next } = await enableTwoFactor(made, user)
    const { data } = await call('POST', '/api/auth', { body: { email: user.email, password } })
    return from('/api/auth/otp', { jwt: data.token, code: next() })
  },
}

test.each(Object.entries(signInMethods))(
  'a sign-in on a new device by %s is mailed once [T-88]',
  async (_, enter) => {
    const { status, data } = await enter(await people.owner())
    expect(status).toBe(200)
    const subject = 'A new device signed in'
    const [user] = await rows('select email from users where id = $1', [data.id])
    const { email } = user as { email: string } // as: the column asked for
    const mail = await expectMail(made, email, subject)
    expect(mail.text).toContain('Firefox on Linux')
    expect(mail.text).toContain('198.51.100.x')
    expect(
      await rows("select account_id from audit_log where action = 'session.new_device' and user_id = $1", [
        data.id,
      ]),
    ).toEqual([{ account_id: data.account_id }])
    // No job is queued: it is written with the session.
    const jobs = await rows(
      `select 1 from pgboss.job where name = 'sessions.new_device'
     and (data ->> 'session_id')::uuid in (select id from sessions where user_id = $1)`,
      [data.id],
    )
    expect(jobs).toHaveLength(1)
    const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(email)}`)
    const inbox: { data: { subject: string }[] } = JSON.parse(await reply.text())
    expect(inbox.data.filter(one => one.subject === subject)).toHaveLength(1)
  },
)
