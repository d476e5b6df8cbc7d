import type { Scope } from '@plinth/contract/scopes'
import { expectMail } from '../harness/expect-mail.ts'
import type { makeTestApp } from '../harness.ts'

type App = Awaited<ReturnType<typeof makeTestApp>>
type Made = { id: string; name: string; key: string; full_key: string }

/** Creates and uses API keys. */
export function apiKeyHelpers(app: App) {
  const { call } = app
  /** Creates a key. The session is fresh, so no step-up proof is needed. */
  async function make(
    owner: { token: string },
    wish: { name?: string; scope?: Scope[]; expires_at?: string } = {},
  ) {
    const body = { name: 'Warehouse sync', scope: ['event.create', 'usage.create'], ...wish }
    const answer = await call('POST', '/api/key', { token: owner.token, body })
    if (answer.status !== 200) throw new Error(`Making a key answered ${answer.status}: ${answer.text}`)
    const made: Made = answer.data
    return made
  }
  /** Sends an event with this authorization header. */
  const sendEvent = (authorization: string) =>
    call('POST', '/api/event', { headers: { authorization }, body: { name: 'parcel_sent' } })
  const byKey = ({ full_key }: { full_key: string }) => sendEvent(`Bearer ${full_key}`)
  const mailAbout = async (to: string, subject: string) => (await expectMail(app, to, subject)).text
  return {
    make,
    mailAbout,
    sendEvent,
    byKey,
    listOf: async (token: string) => (await call('GET', '/api/key', { token })).data,
  }
}
