import type { Page } from '@playwright/test'
import { callApi } from '../api.ts'
import { openAs } from '../browser/session.ts'
import { addVirtualAuthenticator } from '../browser/virtual-authenticator.ts'
import { enableTwoFactor } from '../people/authenticator-app.ts'
import { demoEmail, demoPassword, newEmail, type Person, password, signInByApi } from '../people/people.ts'
import { expect } from '../test.ts'
import { sandboxUrl } from '../urls.ts'
import { allPayloads, payloadName, payloadNames, payloads, payloadsWithoutSpaces } from './payloads.ts'

export const roles = ['owner', 'admin', 'developer', 'user', 'master'] as const
export type PeopleByRole = Record<(typeof roles)[number], Person>

/** Calls the API and throws unless it succeeds. */
async function callOk<T>(
  { user, serverUrl }: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await callApi<T>(method, path, { token: user.token, body, serverUrl })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.message}`)
  return answer.data
}

/** Signs in one person per role, in accounts with all payloads in every free-text field. */
export async function fillDemoAccounts(serverUrl: string): Promise<PeopleByRole> {
  // The server listens before the demo data is complete. `big-team` is not a person under test.
  const body = { email: demoEmail('big-team'), password: demoPassword }
  const signIn = async () => (await callApi('POST', '/api/auth', { body, serverUrl })).status
  await expect.poll(signIn, { intervals: [500] }).toBe(200)
  const people = Object.fromEntries(
    await Promise.all(
      roles.map(async role => {
        const person = await signInByApi(demoEmail(role), demoPassword, serverUrl)
        return [role, role === 'master' ? await enableTwoFactor(person) : person]
      }),
    ),
  ) as PeopleByRole // as: one for each of the roles
  await Promise.all(roles.map((role, n) => fillProfile(people[role], n)))
  await fillAccount(people.owner)
  await fillAccount(people.master)
  // The members of the demo team have the first names.
  const more = payloadNames.map((_, n) => n).slice(roles.length - 1)
  await Promise.all(more.map(n => addMember(people.owner, n)))
  await connectSso(people.owner)
  await callOk(people.owner, 'PATCH', '/api/user', { support_enabled: true })
  return people
}

async function fillProfile(person: Person, n: number): Promise<void> {
  await callOk(person, 'PATCH', '/api/user', { first_name: payloadName(n), last_name: payloadName(n + 1) })
  await callOk(person, 'POST', '/api/feedback', { rating: 'neutral', comment: allPayloads })
  await callOk(person, 'POST', '/api/utility/mail', { message: allPayloads })
  const events = payloadNames.map(value => ({
    name: 'report_opened',
    metadata: { [value.slice(0, 50)]: value },
  }))
  await callOk(person, 'POST', '/api/event', { events })
}

/** Uses one name after the other: the audit log keeps every name of the account and of its keys. */
async function fillAccount(owner: Person): Promise<void> {
  for (const name of payloadNames) {
    await callOk(owner, 'PATCH', '/api/user', { account_name: name })
    const { id } = await callOk<{ id: string }>(owner, 'POST', '/api/key', { name, scope: ['event.create'] })
    // Revoked keys do not count towards the limit of the plan.
    await callOk(owner, 'PATCH', `/api/key/${id}`, { active: false })
    await callOk(owner, 'POST', '/api/usage', { quantity: 1, identifier: name })
  }
}

/** Connects an identity provider whose entity id contains the payloads. */
async function connectSso(owner: Person): Promise<void> {
  const metadata = await (await fetch(`${sandboxUrl}/identity/saml/payloads/metadata`)).text()
  const escaped = payloadsWithoutSpaces.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
  const metadata_xml = metadata.replace(/entityID="[^"]*"/, () => `entityID="${escaped}"`)
  await callOk(owner, 'PUT', '/api/sso/connection', { metadata_xml })
}

const addMember = (owner: Person, n: number) =>
  callOk(owner, 'POST', '/api/invite', {
    email: newEmail('member'),
    first_name: payloadName(n),
    last_name: payloadName(n + 1),
    bypass_signup: true,
    password,
    confirm_password: password,
  })

/** Invites an address for each payload. @returns the payloads that are valid in an address */
export async function invitePayloads(owner: Person): Promise<string[]> {
  const accepted: string[] = []
  for (const payload of payloads) {
    const body = { email: `${payload}@journey.plinth.example` }
    const { status, inputError } = await callApi('POST', '/api/invite', {
      token: owner.user.token,
      serverUrl: owner.serverUrl,
      body,
    })
    if (status === 200) accepted.push(payload)
    else if (status !== 422 || inputError !== 'email') throw new Error(`${payload}: ${status}`)
  }
  return accepted
}

/** Invites a person; inviter and invitee have payloads as names. @returns the address */
export async function inviteWithPayloadName(owner: Person): Promise<string> {
  const email = newEmail('invited')
  await callOk(owner, 'POST', '/api/invite', { email, first_name: payloadName(0), last_name: payloadName(1) })
  return email
}

/** @returns the link by which `support` opens the account of a person who allows it */
export async function createSupportLink(support: Person, { email }: Person): Promise<string> {
  return (await callOk<{ url: string }>(support, 'POST', '/api/impersonation', { email })).url
}

/** Adds a passkey for each name, created by the browser and named by the API. */
export async function addPasskeys(page: Page, person: Person): Promise<void> {
  await addVirtualAuthenticator(page)
  await openAs(page, person, '/account/profile')
  await page.evaluate(
    async ({ token, names }) => {
      const send = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
        return (await answer.json()).data
      }
      for (const name of names) {
        const options = await send('/api/user/passkeys/options', {})
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
          ...options,
          // Allow several passkeys on one device.
          excludeCredentials: [],
        })
        const credential = await navigator.credentials.create({ publicKey })
        if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser created no passkey')
        await send('/api/user/passkeys', { credential: credential.toJSON(), name })
      }
    },
    { token: person.user.token, names: payloadNames },
  )
}

/** Ids of the account's API keys, the newest first. */
export async function listKeyIds(owner: Person): Promise<string[]> {
  return (await callOk<{ id: string }[]>(owner, 'GET', '/api/key')).map(({ id }) => id)
}
