import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { SsoSetup } from '@plinth/contract'
import { callApi } from '../api.ts'
import { sandboxUrl } from '../urls.ts'
import { createOnboardedPerson, type Person } from './people.ts'

export const publishDnsRecord = (name: string, txt: string) => post('/identity/dns', { name, txt })

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(path.startsWith('http') ? path : sandboxUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

/** Creates an owner with a domain and an identity provider that are not yet set up. */
export async function createCompany(
  serverUrl?: string,
): Promise<{ owner: Person; name: string; domain: string; metadata: string }> {
  const name = `co-${randomUUID().slice(0, 8)}`
  const metadata = `${sandboxUrl}/identity/saml/${name}/metadata`
  return { owner: await createOnboardedPerson({ serverUrl }), name, domain: `${name}.example`, metadata }
}
export type Company = Awaited<ReturnType<typeof createCompany>>

/** Creates a company and sets up single sign-on by the API. */
export async function createCompanyWithSso(change: object = {}, serverUrl?: string): Promise<Company> {
  const company = await createCompany(serverUrl)
  const { token } = company.owner.user
  const api = async (method: string, path: string, body: object): Promise<SsoSetup> => {
    const answer = await callApi<SsoSetup>(method, path, { token, body, serverUrl })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.message}`)
    return answer.data
  }
  const [row] = (await api('POST', '/api/sso/domains', { domain: company.domain })).domains
  if (!row) throw new Error('The domain is not in the list')
  await publishDnsRecord(row.record_name, row.record_value)
  await api('POST', `/api/sso/domains/${row.id}/check`, {})
  await api('PUT', '/api/sso/connection', { metadata_url: company.metadata })
  const test = await callApi<{ url: string }>('POST', '/api/sso/test', { token, body: {}, serverUrl })
  await postSamlResponse(test.data.url, `test@${company.domain}`)
  await api('PATCH', '/api/sso/connection', { enabled: true, ...change })
  return company
}

/** Requires single sign-on for all members except the owner. */
export async function enforceSso(owner: Person): Promise<void> {
  const body = { enforced: true, break_glass: [owner.user.id] }
  const answer = await callApi('PATCH', '/api/sso/connection', { token: owner.user.token, body })
  if (answer.status !== 200) throw new Error(answer.message)
}

/** Posts the SAML response without a browser. */
async function postSamlResponse(url: string, email: string): Promise<void> {
  const reply = (await post(url, { email })) as {
    acs_url: string
    relay_state: string
    saml_response: string
  } // as: the sandbox's answer
  const body = new URLSearchParams({ SAMLResponse: reply.saml_response, RelayState: reply.relay_state })
  await fetch(reply.acs_url, { method: 'POST', body, redirect: 'manual' })
}

/** Signs in on the page of the identity provider. */
export async function signInAtIdentityProvider(
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
