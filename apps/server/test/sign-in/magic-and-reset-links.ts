import { freshEmail, type makeTestApp } from '../harness.ts'

type App = Pick<Awaited<ReturnType<typeof makeTestApp>>, 'call' | 'people' | 'services'>
export type LinkPurpose = 'magic' | 'reset'
const paths = { magic: '/api/auth/magic', reset: '/api/auth/password/reset/request' } as const
const screens = { magic: '/magic', reset: '/resetpassword' } as const

/** Requests sign-in and reset links and reads them from the mails. */
export function linkHelpers({ call, people, services }: App) {
  const ask = (purpose: LinkPurpose, email: string) => call('POST', paths[purpose], { body: { email } })

  /** Asks for a link and waits for its mail. @returns the secret, and the mail after which the next one comes */
  async function link(purpose: LinkPurpose, email: string, after?: string) {
    let seen = after ?? (await people.mailTo(email)).id
    await ask(purpose, email)
    for (;;) {
      const mail = await people.mailTo(email, seen)
      const url = mail.links.find(at => at.includes(`${screens[purpose]}?token=`))
      if (url) return { token: new URL(url).searchParams.get('token') ?? '', mail }
      // Another mail arrived first.
      seen = mail.id
    }
  }

  const redeem = (token: string, session?: string) =>
    call('POST', '/api/auth/magic/verify', { token: session, body: { token } })
  const reset = (jwt: string, password: string, more: Record<string, unknown> = {}) =>
    call('POST', '/api/auth/password/reset', { body: { jwt, password, ...more } })
  const isSignedIn = async (token: string): Promise<boolean> =>
    (await call('GET', '/api/auth', { token })).data.authenticated
  const signIn = (email: string, password: string) => call('POST', '/api/auth', { body: { email, password } })

  /** Waits until all earlier requests are processed, by waiting for the mail of a later one. */
  async function waitForRequests() {
    const other = await people.signUp(freshEmail('last'))
    await link('magic', other.email)
  }

  /** Inserts an enabled second factor with an invalid secret. */
  const insertTwoFactor = (user: { id: string }) =>
    services.asSystem('test', tx =>
      tx
        .insertInto('two_factors')
        .values({ user_id: user.id, sealed_secret: 'x', enabled_at: new Date() })
        .execute(),
    )

  return { ask, link, redeem, reset, isSignedIn, signIn, waitForRequests, insertTwoFactor }
}
