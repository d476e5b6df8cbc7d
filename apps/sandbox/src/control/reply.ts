import type { IncomingHttpHeaders } from 'node:http'
import type { Faults } from '../http/faults.ts'
import type { Log } from '../http/log.ts'
import type { Identity } from '../identity/identity.ts'
import type { Inbox } from '../inbox/mails.ts'
import type { Smtp } from '../inbox/smtp.ts'
import type { Webhooks } from '../payments/webhooks.ts'
import type { World } from '../world.ts'

/** Everything that a call to the sandbox itself, not to its Stripe, may need. */
export interface Control {
  world: World
  log: Log
  faults: Faults
  webhooks: Webhooks
  inbox: Inbox
  smtp: Smtp
  identity: Identity
  headers: IncomingHttpHeaders
  method: string
  url: URL
  /** A JSON or form body; fields are checked where they are used. */
  body: Record<string, unknown>
}

export interface Reply {
  status: number
  body: unknown
  /** Set when body is text or bytes of another kind than JSON. */
  type?: string
  headers?: Record<string, string>
}

export const page = (html: string, policy: string, status = 200): Reply => ({
  status,
  body: html,
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
})
