import type { FastifyInstance } from 'fastify'

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

/** A browser as far as social sign-in needs one: it keeps the server's cookie and follows no redirect by itself. */
export function openSocialBrowser(app: FastifyInstance) {
  const jar = new Map<string, string>()

  function keep(header: string | string[] | number | undefined) {
    for (const set of [header].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(set ?? '')) ?? []
      if (name && value) jar.set(name, value)
    }
  }
  const cookies = () => [...jar].map(pair => pair.join('=')).join('; ')
  const sent = () => (jar.size ? { cookie: cookies() } : {})

  /** Loads a page; answers where it leads. */
  async function visit(path: string): Promise<URL> {
    const reply = await app.inject({ method: 'GET', url: path, headers: sent() })
    keep(reply.headers['set-cookie'])
    if (reply.statusCode !== 303) throw new Error(`${path} answered ${reply.statusCode}: ${reply.body}`)
    return new URL(String(reply.headers.location))
  }

  /** The person's answer at the provider; what comes back is the path that the browser is sent to. */
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

  /** From the button to the page that the callback leads to. */
  async function completeAtProvider(provider: string, answer: Consent): Promise<URL> {
    return visit(await consent(await visit(`/auth/social/${provider}`), answer))
  }

  /** What the page does with the token it was handed. */
  async function redeem(token: string, headers: Record<string, string> = {}) {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/auth',
      headers: { ...sent(), ...headers },
      payload: { token },
    })
    keep(reply.headers['set-cookie'])
    return { status: reply.statusCode, body: reply.json(), data: reply.json().data }
  }

  return {
    visit,
    consent,
    completeAtProvider,
    redeem,
    /** The whole way in. */
    async signIn(provider: string, answer: Consent) {
      return redeem(tokenInUrl(await completeAtProvider(provider, answer)))
    },
    cookies,
    takeCookies: (header: string | string[] | number | undefined) => keep(header),
  }
}

export const tokenInUrl = (url: URL) => url.searchParams.get('token') ?? ''
/** Why a visit ended at the sign-in screen. */
export const loginErrorInUrl = (url: URL) =>
  url.pathname === '/login' ? url.searchParams.get('error') : null
