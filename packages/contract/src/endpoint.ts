import type { z } from 'zod'
import type { Stage } from './access.ts'
import type { RefusalCode } from './refusals.ts'
import type { Permission } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
/** Named budgets of calls; their numbers are in the server's http/limits.ts. */
export type Limit = 'sign_in' | 'sign_up' | 'mail' | 'token' | 'billing' | 'write' | 'invite'

export type Endpoint = {
  method: Method
  path: `/${string}`
  /** One sentence for the API page. */
  summary: string
  /** The permission a session must hold; `public` asks for none. */
  needs: Permission | 'public'
  /** How far the session must have come; `active` unless said otherwise. */
  stage?: Stage
  /** The scope an API key needs; without one no key gets in. */
  scope?: string
  limit?: Limit
  /** Honours Idempotency-Key: the first answer is kept and given again. */
  idempotent?: boolean
  /** What this call alone can refuse, beside what follows from the fields above; for the API page. */
  refuses?: readonly RefusalCode[]
  body?: z.ZodType
  query?: z.ZodType
  params?: z.ZodType
  /** What stands in `data`. */
  reply: z.ZodType
}

export type EndpointTable = Record<string, Endpoint>

/** Keeps an endpoint table's literal types while checking its shape. */
export function endpoints<const T extends EndpointTable>(table: T): T {
  return table
}

type Of<E, K extends 'body' | 'query' | 'params'> = E extends { [P in K]: infer S extends z.ZodType }
  ? S
  : never
/** What a caller sends. */
export type Sent<E extends Endpoint> = {
  [K in 'body' | 'query' | 'params' as Of<E, K> extends never ? never : K]: z.input<Of<E, K>>
}
/** What a handler receives, parsed. */
export type Received<E extends Endpoint> = {
  [K in 'body' | 'query' | 'params' as Of<E, K> extends never ? never : K]: z.output<Of<E, K>>
}
export type Reply<E extends Endpoint> = z.output<E['reply']>
