import type { z } from 'zod'
import type { Stage } from './access.ts'
import type { RefusalCode } from './refusals.ts'
import type { Permission } from './roles.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
/** Named budgets of calls; their numbers are in the server's http/limits.ts. */
export type Limit =
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
  /** The permission a session must hold; `public` asks for none. */
  needs: Permission | 'public'
  /** How far the session must have come; `active` unless said otherwise. */
  stage?: Stage
  /** The scope an API key needs; without one no key gets in. */
  scope?: Scope
  limit?: Limit
  /** Open to a master without a second factor: needed to set one up, or to sign out. */
  enrols?: boolean
  /**
   * Whether support may call it while acting as a user. Unless said otherwise it may read and not write: a new call
   * is closed to support until somebody thought about it (T-41).
   */
  support?: boolean
  /**
   * Changes who may come in or act, or what guards that. It is in the log of each account concerned, and in the mail of
   * whoever is to know (T-88): a test does each of these and looks. What writes and is not is in that test, with why.
   */
  sensitive?: boolean
  /** Honours Idempotency-Key: the first answer is kept and given again. */
  idempotent?: boolean
  /** The answer is a way in, so it is given again for minutes only: as long as its caller may have missed it. */
  opens?: boolean
  /** The reply is a part of a list; `page` beside it says which. */
  paged?: boolean
  /** What this call alone can refuse, beside what follows from the fields above; for the API page. */
  refuses?: readonly RefusalCode[]
  body?: z.ZodType
  /** The body may also come as multipart, which is how files travel. */
  files?: boolean
  /** The most bytes of its JSON body, where 64 kB are too few. */
  maxBody?: number
  query?: z.ZodType
  params?: z.ZodType
  /** Answers a file of this type in place of `{ data }`, a piece at a time; `reply` then says what is in it. */
  download?: 'text/csv'
  /**
   * The reply holds neither a secret nor anything from the request, so it is sent compressed: the length gives nothing
   * away. Clients keep it and ask again with its ETag.
   */
  compressed?: boolean
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
