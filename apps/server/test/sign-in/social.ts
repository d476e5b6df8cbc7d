import type { FastifyInstance } from 'fastify'
import { openCookieJar } from '../harness/cookie-jar.ts'

/** Fields of the sandbox's consent page, and an optional fault for this sign-in. */
export type Consent = {
  person?: string
  email?: string
  name?: string
  subject?: string
  email_verified?: boolean
  action?: 'deny'
  fault?: string
}

/** A browser for social sign-in: saves cookies and follows no redirects. */
export function openSocialBrowser(app: FastifyInstance) {
  const { cookies, headers: cookieHeaders, saveCookies } = openCookieJar()

  /** Loads a page that redirects. @returns the target */
  async function visit(path: string): Promise<URL> {
    const reply = await app.inject({ method: 'GET', url: path, headers: cookieHeaders() })
    saveCookies(reply.headers)
    if (reply.statusCode !== 303) throw new Error(`${path} answered ${reply.statusCode}: ${reply.body}`)
    return new URL(String(reply.headers.location))
  }

  /** Answers the provider's consent page. @returns the path that the provider redirects to */
  async function consent(at: URL, answer: Consent): Promise<string> {
    const reply = await fetch(at, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    })
    const back = reply.headers.get('location')
    if (reply.status !== 303 || !back) throw new Error(`${reply.status}: ${await reply.text()}`)
    const { pathname, search } = new URL(back)
    return pathname + search
  }

  /** From the button to the page that the callback redirects to. */
  async function completeAtProvider(provider: string, answer: Consent): Promise<URL> {
    return visit(await consent(await visit(`/auth/social/${provider}`), answer))
  }

  /** Exchanges the token in the page's address for a session. */
  async function redeem(token: string, headers: Record<string, string> = {}) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/auth',
      headers: { ...cookieHeaders(), ...headers },
      payload: { token },
    })
    saveCookies(reply.headers)
    return { status: reply.statusCode, body: reply.json(), data: reply.json().data }
  }

  return {
    visit,
    consent,
    completeAtProvider,
    redeem,
    /** Signs in: consent, callback and exchange of the token. */
    async signIn(provider: string, answer: Consent) {
      return redeem(tokenInUrl(await completeAtProvider(provider, answer)))
    },
    cookies,
    headers: cookieHeaders,
    saveCookies,
  }
}

export const tokenInUrl = (url: URL) => url.searchParams.get('token') ?? ''
/** The error in the address of the sign-in screen; null on other pages. */
export const loginErrorInUrl = (url: URL) =>
  url.pathname === '/login' ? url.searchParams.get('error') : null
