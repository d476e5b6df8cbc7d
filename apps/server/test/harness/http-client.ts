import { inject } from 'vitest'
import { freshEmail, password } from '../harness.ts'
import { paymentsOf } from '../payments.ts'

const origin = `http://127.0.0.1:${inject('sandbox').port}`

/** Payments of the suite's sandbox, used by server processes. */
export const payments = paymentsOf(origin)

/** Calls a server that runs as a process. */
export async function callServer(address: string, method: string, body?: unknown, token?: string) {
  const reply = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await reply.json()) as { data: Record<string, never> } // as: tests say what they expect of it
  return { status: reply.status, data: answer.data }
}

export type VerifiedUser = { email: string; token: string; account_id: string }

/** Signs up and verifies a user. The server must send mails. */
export async function signUpVerified(url: string, name: string): Promise<VerifiedUser> {
  const email = freshEmail(name)
  const person = { first_name: 'Mara', last_name: 'Okafor', email, password }
  const user = await callServer(`${url}/api/account`, 'POST', person)
  const body = { token: new URL(await waitForMailedLink(email)).searchParams.get('token') }
  const session = await callServer(`${url}/api/user/verify`, 'POST', body, user.data.token)
  const { token, account_id } = session.data as unknown as { token: string; account_id: string } // as: the session user
  return { email, token, account_id }
}

/** The link in the first mail to an address, once it has come: one with a token, or an invite's. */
export async function waitForMailedLink(email: string): Promise<string> {
  const inbox = await fetch(
    `${origin}/sandbox/inbox/wait?to=${encodeURIComponent(email)}&after=0&timeout=20000`,
  )
  const { data } = (await inbox.json()) as { data: { links: string[] }[] } // as: the sandbox's answer
  return data[0]?.links.find(address => /[?&](?:token|id)=/.test(address)) ?? ''
}

/** The one customer of an account at the provider, null when there is none. */
export async function findCustomer({ account_id }: { account_id: string }): Promise<string | null> {
  const customers = await payments.list('/v1/customers', {})
  const mine = customers.filter(one => JSON.stringify(one.metadata).includes(account_id))
  if (mine.length > 1) throw new Error(`${mine.length} customers of ${account_id}`)
  return mine[0]?.id ?? null
}
