import type { SessionUser, SsoSetup } from '@plinth/contract'
import { openCookieJar } from '../harness/cookie-jar.ts'
import { freshEmail, type makeTestApp } from '../harness.ts'

type TestApp = Awaited<ReturnType<typeof makeTestApp>>

/** What the sandbox's provider would have the browser post. */
export type SamlPost = { relay_state: string; saml_response: string; xml: string; assertion_ids: string[] }
type Person = { email?: string; person?: string; first_name?: string; last_name?: string; name_id?: string }

let counter = 0

/** A browser for single sign-on: saves cookies and follows no redirects. */
export function openSsoBrowser({ app }: Pick<TestApp, 'app'>) {
  const { cookies, headers, saveCookies } = openCookieJar()
  return {
    cookies,
    headers,
    saveCookies,
    /** Loads a page. @returns where it redirects to */
    async go(path: string, more: Record<string, string> = {}) {
      const reply = await app.inject({ url: path, headers: { ...headers(), ...more } })
      saveCookies(reply.headers)
      return { status: reply.statusCode, location: String(reply.headers.location ?? ''), reply }
    },
  }
}
export type SsoBrowser = ReturnType<typeof openSsoBrowser>

/** Companies with single sign-on, and their people, through the real routes and the sandbox's provider. */
export function ssoHelpers(test: TestApp) {
  const { app, call, config, people } = test
  const sandbox = config.sandboxUrl ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: the sandbox's answers are of many shapes; each caller names its own
  const postToSandbox = async (path: string, body: object): Promise<any> => {
    const reply = await fetch(path.startsWith('http') ? path : `${sandbox}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`The sandbox answered ${reply.status}: ${await reply.text()}`)
    return reply.json()
  }

  /** A domain and a provider of its own, and the owner who will set them up. */
  async function newCompany(owner?: SessionUser & { token: string; email: string }) {
    const name = `co-${process.pid}-${counter++}`
    return { owner: owner ?? (await people.owner()), name, domain: `${name}.example` }
  }
  type Company = Awaited<ReturnType<typeof newCompany>>

  const api = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    { owner }: Pick<Company, 'owner'>,
    body?: object,
  ): Promise<SsoSetup> => {
    const answer = await call(method, path, { token: owner.token, body })
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
    return answer.data
  }

  async function proveDomain(company: Company, domain = company.domain) {
    const named = await api('POST', '/api/sso/domains', company, { domain })
    const row = named.domains.find(each => each.domain === domain)
    if (!row) throw new Error('The domain is not in the list')
    await postToSandbox('/identity/dns', { name: row.record_name, txt: ['something else', row.record_value] })
    return api('POST', `/api/sso/domains/${row.id}/check`, company, {})
  }
  const connect = (company: Company) =>
    api('PUT', '/api/sso/connection', company, {
      metadata_url: `${sandbox}/identity/saml/${company.name}/metadata`,
    })

  /** The provider's answer to a request, right or as `options` order. */
  const answer = (url: string, person: Person & { options?: object; action?: 'deny' }): Promise<SamlPost> =>
    postToSandbox(url, person)
  /** A response with custom content, also without a request. */
  const sign = (company: Company, body: object): Promise<SamlPost> =>
    postToSandbox(`/identity/saml/${company.name}/sign`, body)

  async function post(posted: { relay_state?: string | null; saml_response: string }, headers = {}) {
    const reply = await app.inject({
      method: 'POST',
      url: '/auth/saml/acs',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({
        SAMLResponse: posted.saml_response,
        ...(posted.relay_state ? { RelayState: posted.relay_state } : {}),
      }).toString(),
    })
    const location = new URL(String(reply.headers.location ?? ''), config.publicUrl)
    return { status: reply.statusCode, location, token: location.searchParams.get('token') }
  }

  async function runSsoTest(company: Company, person: Person = { email: `test@${company.domain}` }) {
    const begun = await call('POST', '/api/sso/test', { token: company.owner.token })
    await post(await answer(begun.data.url, person))
    return api('GET', '/api/sso', company)
  }

  /** Proven, connected, tested and on. */
  async function company(owner?: Company['owner']) {
    const made = await newCompany(owner)
    await proveDomain(made)
    await connect(made)
    await runSsoTest(made)
    const { connection } = await api('PATCH', '/api/sso/connection', made, { enabled: true })
    if (!connection) throw new Error('No connection')
    return { ...made, connection }
  }

  const start = (browser: SsoBrowser, { domain }: { domain: string }) =>
    browser.go(`/auth/saml?domain=${domain}`)
  const finish = (browser: SsoBrowser, token: string | null) =>
    call('POST', '/auth/saml/callback', { body: { token: token ?? '' }, headers: browser.headers() })

  /** From the button to the session, in one browser. */
  async function signIn(
    of: { domain: string },
    person: Person & { options?: object },
    browser = openSsoBrowser(test),
  ) {
    const { location } = await start(browser, of)
    const { token } = await post(await answer(location, person))
    return finish(browser, token)
  }

  const address = (of: { domain: string }, name = 'person') =>
    `${freshEmail(name).split('@')[0]}@${of.domain}`

  return {
    address,
    answer,
    api,
    newCompany,
    company,
    connect,
    finish,
    post,
    proveDomain,
    sandbox,
    postToSandbox,
    sign,
    signIn,
    start,
    test: runSsoTest,
  }
}
