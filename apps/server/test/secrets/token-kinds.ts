import { createSupportLink } from '../../src/features/impersonation/service.ts'
import { apiKeyHelpers } from '../factories/api-keys.ts'
import { makeMaster } from '../factories/masters.ts'
import { usePlan } from '../factories/use-plan.ts'
import { expectMail } from '../harness/expect-mail.ts'
import { tokenInMail } from '../harness/token-in-mail.ts'
import { freshEmail, type makeTestApp, password } from '../harness.ts'
import { linkHelpers } from '../sign-in/magic-and-reset-links.ts'
import { openSocialBrowser, tokenInUrl } from '../sign-in/social.ts'
import { openSsoBrowser, ssoHelpers } from '../sign-in/sso.ts'
import { enableTwoFactor, totpCode } from '../sign-in/two-factor.ts'

/** An endpoint that accepts a token, with all its other inputs valid. */
type TokenEndpoint = {
  opens: string
  /** Another kind that it accepts, because it only reads. */
  also?: string
  body?: (token: string) => object
  headers?: Record<string, string>
  bearer?: 'holder' | 'master'
}
export type HeldToken = { token: string; session?: string }

/**
 * Creates one token of each kind, and lists the endpoints that accept tokens. Stops the clock. Requires an app with
 * TRUST_PROXY, for a sign-in from another network.
 */
export async function makeTokenKinds(made: Awaited<ReturnType<typeof makeTestApp>>) {
  const { app, call, clock, db, people, services } = made
  const links = linkHelpers(made)
  const sso = ssoHelpers(made)
  const company = await sso.company()
  const member = await enableTwoFactor(made, await people.owner())
  clock.freeze()
  const master = await people.owner(freshEmail('master'))
  await makeMaster(db, master)
  const invited = freshEmail('invited')
  const browser = openSocialBrowser(app)
  const kinds = await makeHeld()

  async function makeHeld() {
    const [host, forgetful, moving, surprised] = [
      await people.owner(),
      await people.owner(),
      await people.owner(),
      await people.owner(),
    ]
    const seen = (await people.mailTo(surprised.email)).id
    await call('POST', '/api/auth', {
      body: { email: surprised.email, password },
      headers: { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Mozilla/5.0 (X11) Firefox/147.0' },
    })
    await call('POST', '/api/invite', { token: host.token, body: { email: invited } })
    const guest = await people.owner(freshEmail('guest'))
    const inviting = await usePlan(services, await people.owner(), 'startup')
    await call('POST', '/api/invite', { token: inviting.token, body: { email: guest.email } })
    const moved = freshEmail('moved')
    await call('PATCH', '/api/user', { token: moving.token, body: { email: moved } })
    const helped = await people.owner(freshEmail('helped'))
    await call('PATCH', '/api/user', { token: helped.token, body: { support_enabled: true } })
    const challenge = await call('POST', '/api/auth', { body: { email: member.email, password } })
    const support = await createSupportLink(services, { master: master.email, user: helped.email })
    // Both hand-overs wait for one browser, and each is asked for by it.
    const social = tokenInUrl(await browser.completeAtProvider('google', { email: freshEmail() }))
    const saml = openSsoBrowser(made)
    saml.saveCookies({ 'set-cookie': browser.cookies() })
    const { location } = await sso.start(saml, company)
    const answered = await sso.post(await sso.answer(location, { email: sso.address(company) }))
    const maker = await usePlan(services, await people.owner(), 'startup')
    const held: Record<string, HeldToken> = {
      session: { token: host.token, session: host.token },
      challenge: { token: challenge.data.token, session: member.token },
      verify: { token: tokenInMail(await people.mailTo(moved)), session: moving.token },
      undo: {
        token: tokenInMail(await expectMail(made, moving.email, 'Your email address is about to change')),
        session: moving.token,
      },
      magic: { token: (await links.link('magic', master.email)).token, session: master.token },
      reset: { token: (await links.link('reset', forgetful.email)).token, session: forgetful.token },
      invite: { token: tokenInMail(await people.mailTo(invited), 'id') },
      invite_known: {
        token: tokenInMail(
          await expectMail(made, guest.email, 'Mara Okafor invited you to Mara’s account'),
          'id',
        ),
        session: guest.token,
      },
      session_end: {
        token: tokenInMail(await people.mailTo(surprised.email, seen)),
        session: surprised.token,
      },
      impersonation: {
        token: new URL(support.url).searchParams.get('token') ?? '',
        session: master.token,
      },
      social: { token: social },
      saml: { token: answered.token ?? '' },
      api_key: { token: (await apiKeyHelpers(made).make(maker)).full_key },
    }
    return held
  }

  const cookie = browser.cookies()
  const token = (value: string) => ({ token: value })
  /** Every endpoint that accepts a token, with its kind, ordered so that no call invalidates a later token. */
  const tokenEndpoints: Record<string, TokenEndpoint> = {
    'POST /api/auth': { opens: 'social', body: token, headers: { cookie } },
    'POST /auth/saml/callback': { opens: 'saml', body: token, headers: { cookie } },
    'POST /api/auth/impersonate': { opens: 'impersonation', body: token, bearer: 'master' },
    'POST /api/auth/link as magic': { opens: 'magic', body: value => ({ token: value, purpose: 'magic' }) },
    'POST /api/auth/link as reset': { opens: 'reset', body: value => ({ token: value, purpose: 'reset' }) },
    'POST /api/auth/magic/verify': { opens: 'magic', body: token },
    'POST /api/auth/password/reset': {
      opens: 'reset',
      body: jwt => ({ jwt, password: 'another-good-password-2' }),
    },
    'POST /api/invite/look': {
      opens: 'invite',
      also: 'invite_known',
      body: invite_id => ({ invite_id }),
    },
    'POST /api/invite/accept': {
      opens: 'invite_known',
      body: invite_id => ({ invite_id }),
      bearer: 'holder',
    },
    'POST /api/user': {
      opens: 'invite',
      body: invite_id => ({ first_name: 'Ida', last_name: 'Ek', email: invited, password, invite_id }),
    },
    'POST /api/auth/otp': {
      opens: 'challenge',
      body: jwt => ({ jwt, code: totpCode(member.secret, clock.now(), 1) }),
    },
    'POST /api/user/verify': { opens: 'verify', body: token, bearer: 'holder' },
    'POST /api/auth/email/undo': { opens: 'undo', body: token },
    'POST /api/auth/session/end': { opens: 'session_end', body: token },
  }

  async function presentToken(at: string, { token: value, session }: HeldToken) {
    const { body, headers, bearer } = tokenEndpoints[at] ?? {}
    const [method, path = ''] = at.split(' ')
    if (method !== 'POST') throw new Error(at)
    return call('POST', path, {
      token: bearer && { master: master.token, holder: session ?? member.token }[bearer],
      body: body?.(value),
      headers,
    })
  }

  return { kinds, tokenEndpoints, presentToken, cookies: browser.cookies, member }
}
