import { randomUUID } from 'node:crypto'
import type { SessionUser } from '@plinth/contract'
import { callApi, expectOk } from '../api.ts'
import { waitForLink } from '../mail.ts'

export const password = 'limestone-1!'
export const demoPassword = 'plinth-demo-1'
export const demoEmail = (name: string) => `${name}@demo.plinth.example`

export const newEmail = (name = 'mara') => `${name}.${randomUUID().slice(0, 13)}@journey.plinth.example`

export type Person = {
  email: string
  password: string
  /** Id of the newest mail received; tests wait for mails after it. */
  lastMail: string
  /** Set when the person is not on the main server under test. */
  serverUrl?: string | undefined
  user: SessionUser & { token: string }
}

type PersonOptions = {
  email?: string
  first?: string
  language?: string
  onboarded?: boolean
  serverUrl?: string
}

export async function createUnverifiedPerson({
  email = newEmail(),
  first = 'Mara',
  language,
  serverUrl,
}: PersonOptions = {}): Promise<Person> {
  const body = { first_name: first, last_name: 'Okafor', email, password, confirm_password: password }
  const user = await expectOk(callApi<Person['user']>('POST', '/api/account', { body, language, serverUrl }))
  return { email, password, lastMail: '0', user, serverUrl }
}

export async function createVerifiedPerson(wish?: PersonOptions): Promise<Person> {
  const person = await createUnverifiedPerson(wish)
  const { token, mail } = await waitForLink(person.email)
  const user = await expectOk(
    callApi<Person['user']>('POST', '/api/user/verify', {
      token: person.user.token,
      body: { token },
      serverUrl: wish?.serverUrl,
    }),
  )
  if (wish?.onboarded) await updateUser(user, { onboarded: true }, wish.serverUrl)
  return { ...person, lastMail: mail.id, user: { ...user, onboarded: wish?.onboarded ?? user.onboarded } }
}

/** A verified person on the free plan. */
export async function createPersonWithPlan(wish?: PersonOptions): Promise<Person> {
  const person = await createVerifiedPerson(wish)
  const { token } = person.user
  await expectOk(
    callApi('POST', '/api/account/plan', { token, body: { plan: 'free' }, serverUrl: wish?.serverUrl }),
  )
  return { ...person, user: { ...person.user, plan: 'free', subscription: 'active' } }
}

/** A person on the free plan who has finished the onboarding and lands on the dashboard. */
export function createOnboardedPerson(wish?: PersonOptions): Promise<Person> {
  return createPersonWithPlan({ ...wish, onboarded: true })
}

/** Name of the account that opens when a person in two accounts signs in. */
export const defaultAccountName = 'Second Harbour'

/**
 * A person who signed up twice with one address. The newer account is the default; it is onboarded, or has no plan when
 * `plan` is false.
 */
export async function createPersonInTwoAccounts({
  plan = true,
  ...wish
}: PersonOptions & { plan?: boolean } = {}): Promise<Person> {
  const first = await createOnboardedPerson(wish)
  await updateUser(first.user, { account_name: 'First Harbour' })
  const again = await createUnverifiedPerson({ ...wish, email: first.email })
  const { token: link, mail } = await waitForLink(first.email, first.lastMail)
  // Verifying ends this session: sign in again with the first password.
  await callApi('POST', '/api/user/verify', { token: again.user.token, body: { token: link } })
  const { token } = (await signInByApi(first.email, first.password)).user
  const user = await expectOk(
    callApi<Person['user']>('POST', '/api/auth/switch', { token, body: { account: again.user.account_id } }),
  )
  if (plan)
    await expectOk(callApi('POST', '/api/account/plan', { token: user.token, body: { plan: 'free' } }))
  await updateUser(user, {
    account_name: defaultAccountName,
    default_account: user.account_id,
    onboarded: true,
  })
  // Update the stored session: without a plan the browser opens the plan screen.
  const known = { ...user, ...(plan && { plan: 'free', subscription: 'active' }), onboarded: true }
  return { ...first, lastMail: mail.id, user: known }
}

export async function updateUser(
  user: { token: string },
  body: Record<string, unknown>,
  serverUrl?: string,
): Promise<void> {
  await expectOk(callApi('PATCH', '/api/user', { token: user.token, body, serverUrl }))
}

export async function signInByApi(email: string, secret = demoPassword, serverUrl?: string): Promise<Person> {
  const user = await expectOk(
    callApi<Person['user']>('POST', '/api/auth', { body: { email, password: secret }, serverUrl }),
  )
  return { email, password: secret, lastMail: '0', user, serverUrl }
}
