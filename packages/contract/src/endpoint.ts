import type { z } from 'zod'
import type { Stage } from './access.ts'
import type { RefusalCode } from './refusals.ts'
import type { Permission } from './roles.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
/** Names of rate limits; the server's limits.ts has the numbers. */
export type RateLimitName =
  | 'password'
  | 'sign_in'
  | 'sign_up'
  | 'mail'
  | 'token'
  | 'otp'
  | 'passkey'
  | 'billing'
  | 'preview'
  | 'write'
  | 'invite'
  | 'sso'
  | 'export'

export type Endpoint = {
  method: Method
  path: `/${string}`
  /** One sentence for the API page. */
  summary: string
  /** The permission that a session needs; `public` calls need no session. */
  needs: Permission | 'public'
  /** The onboarding stage that a session needs. Default: `active`. */
  stage?: Stage
  /** The scope that an API key needs. Without a scope the call refuses API keys. */
  scope?: Scope
  limit?: RateLimitName
  /** Open to a master without a second factor, for example to set one up. */
  allowedBeforeSecondFactor?: boolean
  /** Whether support may call it while acting as a user. Default: support may read but not write. */
  support?: boolean
  /**
   * Changes access or security settings, so it writes to the audit log and mails the affected users. A test calls each
   * of these endpoints and checks both.
   */
  sensitive?: boolean
  /** Honours Idempotency-Key: a repeated call gets the stored first reply. */
  idempotent?: boolean
  /** The reply contains a session token, so the stored reply is repeated for a few minutes only. */
  opensSession?: boolean
  /** The reply is one page of a list, with `page` beside `data`. */
  paged?: boolean
  /** Refusals of this call beyond those that follow from the fields above; for the API page. */
  refuses?: readonly RefusalCode[]
  body?: z.ZodType
  /** Also accepts a multipart body, for files. */
  files?: boolean
  /** Maximum bytes of the JSON body when the default of 64 kB is too small. */
  maxBody?: number
  query?: z.ZodType
  params?: z.ZodType
  /** Streams a file of this type instead of `{ data }`; `reply` describes its content. */
  download?: 'text/csv'
  /**
   * Sent compressed and with an ETag. Only for replies without secrets and without request data: otherwise the
   * compressed length could reveal a secret.
   */
  compressed?: boolean
  /** The schema of `data`. */
  reply: z.ZodType
}

export type EndpointTable = Record<string, Endpoint>

/** Checks an endpoint table and keeps its literal types. */
export function endpoints<const T extends EndpointTable>(table: T): T {
  return table
}

type SchemaOf<E, K extends 'body' | 'query' | 'params'> = E extends { [P in K]: infer S extends z.ZodType }
  ? S
  : never
/** The input that a caller sends. */
export type CallInput<E extends Endpoint> = {
  [K in 'body' | 'query' | 'params' as SchemaOf<E, K> extends never ? never : K]: z.input<SchemaOf<E, K>>
}
/** The parsed input that a handler receives. */
export type HandlerInput<E extends Endpoint> = {
  [K in 'body' | 'query' | 'params' as SchemaOf<E, K> extends never ? never : K]: z.output<SchemaOf<E, K>>
}
export type Reply<E extends Endpoint> = z.output<E['reply']>
