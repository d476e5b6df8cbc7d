import type { IncomingHttpHeaders } from 'node:http'
import type { SandboxContext } from '../context.ts'
import type { ApiFaults } from '../http/api-faults.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { Identity } from '../identity/identity.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Webhooks } from '../payments/events/webhooks.ts'

/** A call to the sandbox's own endpoints, as opposed to the Stripe API. */
export interface ControlCall {
  context: SandboxContext
  log: RequestLog
  faults: ApiFaults
  webhooks: Webhooks
  inbox: Inbox
  identity: Identity
  headers: IncomingHttpHeaders
  method: string
  url: URL
  /** JSON or form fields, not checked yet. */
  body: Record<string, unknown>
}

export interface ControlReply {
  status: number
  body: unknown
  /** Content type of a text or binary body; JSON without it. */
  type?: string
  headers?: Record<string, string>
}

export const jsonReply = (body: unknown): ControlReply => ({ status: 200, body })

export const htmlReply = (html: string, policy: string, status = 200): ControlReply => ({
  status,
  body: html,
  type: 'text/html; charset=utf-8',
  headers: { 'content-security-policy': policy },
})
