import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { SsoSetup } from '@plinth/contract'
import { call, type Person, settled } from './people.ts'
import { sandbox } from './places.ts'

export const dns = (name: string, txt: string) => post('/identity/dns', { name, txt })

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(path.startsWith('http') ? path : sandbox + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** A company with a domain and a provider of its own. */
export async function company(
  at?: string,
): Promise<{ owner: Person; name: string; domain: string; metadata: string }> {
  const name = `co-${randomUUID().slice(0, 8)}`
  const metadata = `${sandbox}/identity/saml/${name}/metadata`
  return { owner: await settled({ at }), name, domain: `${name}.example`, metadata }
}
export type Company = Awaited<ReturnType<typeof company>>

/** … whose single sign-on is set up, past its screen. */
export async function ready(change: object = {}, at?: string): Promise<Company> {
  const made = await company(at)
  const { token } = made.owner.user
  const api = async (method: string, path: string, body: object): Promise<SsoSetup> => {
    const answer = await call<SsoSetup>(method, path, { token, body, at })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.message}`)
    return answer.data
  }
  const [row] = (await api('POST', '/api/sso/domains', { domain: made.domain })).domains
  if (!row) throw new Error('The domain is not in the list')
  await dns(row.record_name, row.record_value)
  await api('POST', `/api/sso/domains/${row.id}/check`, {})
  await api('PUT', '/api/sso/connection', { metadata_url: made.metadata })
  const begun = await call<{ url: string }>('POST', '/api/sso/test', { token, body: {}, at })
  await answerTo(begun.data.url, `test@${made.domain}`)
  await api('PATCH', '/api/sso/connection', { enabled: true, ...change })
  return made
}

/** From now on single sign-on is the only way in for everybody but the owner. */
export async function enforce(owner: Person): Promise<void> {
  const body = { enforced: true, break_glass: [owner.user.id] }
  const answer = await call('PATCH', '/api/sso/connection', { token: owner.user.token, body })
  if (answer.status !== 200) throw new Error(answer.message)
}

/** What the provider would have the browser post, posted past the browser. */
async function answerTo(url: string, email: string): Promise<void> {
  const said = (await post(url, { email })) as { acs_url: string; relay_state: string; saml_response: string } // as: the sandbox's answer
  const body = new URLSearchParams({ SAMLResponse: said.saml_response, RelayState: said.relay_state })
  await fetch(said.acs_url, { method: 'POST', body, redirect: 'manual' })
}

/** Answers on the provider's own page. */
export async function answerAs(
  page: Page,
  person: { email: string; first?: string; last?: string },
): Promise<void> {
  await page.waitForURL(/\/identity\/saml\//)
  await page.getByText('Someone else', { exact: true }).click()
  await page.locator('input[name="email"]').fill(person.email)
  await page.locator('input[name="first_name"]').fill(person.first ?? 'Ida')
  await page.locator('input[name="last_name"]').fill(person.last ?? 'Ek')
  await page.locator('input[name="email"]').press('Enter')
  await page.waitForURL(url => !url.pathname.includes('/identity/saml/'))
}
