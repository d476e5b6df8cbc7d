import type { Page } from '@playwright/test'
import { withSecondFactor } from './authenticator-app.ts'
import { addAuthenticator } from './passkeys.ts'
import { longest, nameAt, names, payloads, unspaced } from './payloads.ts'
import { call, demo, demoPassword, freshAddress, type Person, password, signedIn } from './people.ts'
import { sandbox } from './places.ts'
import { openAs } from './steps.ts'
import { expect } from './test.ts'

export const roles = ['owner', 'admin', 'developer', 'user', 'master'] as const
export type People = Record<(typeof roles)[number], Person>

/** A call that must be done. */
async function send<T>({ user, at }: Person, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call<T>(method, path, { token: user.token, body, at })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.message}`)
  return answer.data
}

/** Somebody of every role, in accounts that hold all payloads in every field that takes a text of one’s own. */
export async function fill(at: string): Promise<People> {
  // A server listens before its demo people are there. Who is asked for in vain is none of those that are walked as.
  const body = { email: demo('big-team'), password: demoPassword }
  const signIn = async () => (await call('POST', '/api/auth', { body, at })).status
  await expect.poll(signIn, { intervals: [500] }).toBe(200)
  const people = Object.fromEntries(
    await Promise.all(
      roles.map(async role => {
        const person = await signedIn(demo(role), demoPassword, at)
        return [role, role === 'master' ? await withSecondFactor(person) : person]
      }),
    ),
  ) as People // as: one for each of the roles
  await Promise.all(roles.map((role, n) => fillOwn(people[role], n)))
  await fillAccount(people.owner)
  await fillAccount(people.master)
  // Who is in the team already has the first ones.
  const more = names.map((_, n) => n).slice(roles.length - 1)
  await Promise.all(more.map(n => addMember(people.owner, n)))
  await connect(people.owner)
  await send(people.owner, 'PATCH', '/api/user', { support_enabled: true })
  return people
}

async function fillOwn(person: Person, n: number): Promise<void> {
  await send(person, 'PATCH', '/api/user', { first_name: nameAt(n), last_name: nameAt(n + 1) })
  await send(person, 'POST', '/api/feedback', { rating: 'neutral', comment: longest })
  await send(person, 'POST', '/api/utility/mail', { message: longest })
  const events = names.map(value => ({ name: 'report_opened', metadata: { [value.slice(0, 50)]: value } }))
  await send(person, 'POST', '/api/event', { events })
}

/** One after the other: the log of the account keeps every name that it ever had, and that of every key. */
async function fillAccount(owner: Person): Promise<void> {
  for (const name of names) {
    await send(owner, 'PATCH', '/api/user', { account_name: name })
    const { id } = await send<{ id: string }>(owner, 'POST', '/api/key', { name, scope: ['event.create'] })
    // A plan takes as many as one likes when they are revoked.
    await send(owner, 'PATCH', `/api/key/${id}`, { active: false })
    await send(owner, 'POST', '/api/usage', { quantity: 1, identifier: name })
  }
}

/** A provider of single sign-on that calls itself by them. */
async function connect(owner: Person): Promise<void> {
  const metadata = await (await fetch(`${sandbox}/identity/saml/payloads/metadata`)).text()
  const escaped = unspaced.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
  const metadata_xml = metadata.replace(/entityID="[^"]*"/, () => `entityID="${escaped}"`)
  await send(owner, 'PUT', '/api/sso/connection', { metadata_xml })
}

const addMember = (owner: Person, n: number) =>
  send(owner, 'POST', '/api/invite', {
    email: freshAddress('member'),
    first_name: nameAt(n),
    last_name: nameAt(n + 1),
    bypass_signup: true,
    password,
    confirm_password: password,
  })

/** Invites each payload as an address. @returns those that are one */
export async function inviteAll(owner: Person): Promise<string[]> {
  const taken: string[] = []
  for (const payload of payloads) {
    const body = { email: `${payload}@journey.plinth.example` }
    const { status, inputError } = await call('POST', '/api/invite', {
      token: owner.user.token,
      at: owner.at,
      body,
    })
    if (status === 200) taken.push(payload)
    else if (status !== 422 || inputError !== 'email') throw new Error(`${payload}: ${status}`)
  }
  return taken
}

/** Invites somebody who has such a name, on behalf of somebody who has one too. @returns the address */
export async function invite(owner: Person): Promise<string> {
  const email = freshAddress('invited')
  await send(owner, 'POST', '/api/invite', { email, first_name: nameAt(0), last_name: nameAt(1) })
  return email
}

/** Support in the account of somebody who allows it. @returns the link that opens it for `support` */
export async function supportLink(support: Person, { email }: Person): Promise<string> {
  return (await send<{ url: string }>(support, 'POST', '/api/impersonation', { email })).url
}

/** Passkeys of all names, made by the browser and named by calls. */
export async function addPasskeys(page: Page, person: Person): Promise<void> {
  await addAuthenticator(page)
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
          // The same device takes one more, as another would.
          excludeCredentials: [],
        })
        const credential = await navigator.credentials.create({ publicKey })
        if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser made no passkey')
        await send('/api/user/passkeys', { credential: credential.toJSON(), name })
      }
    },
    { token: person.user.token, names },
  )
}

/** Its keys, the newest first. */
export async function keysOf(owner: Person): Promise<string[]> {
  return (await send<{ id: string }[]>(owner, 'GET', '/api/key')).map(({ id }) => id)
}
