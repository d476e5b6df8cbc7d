import { trimBlanks } from '@plinth/contract/text'
import type { FastifyRequest } from 'fastify'
import { isApiKey } from '../lib/api-key.ts'

/** A session token or an API key, from the request. */
export type Credential = { kind: 'session' | 'key'; secret: string }

/**
 * `Bearer <token>`, `Bearer <key>`, or `Basic` with the key as the user name or as it is, which is what tools send that
 * know no Bearer. A session never comes by Basic.
 */
export function credentialOf(request: FastifyRequest): Credential | null {
  const header = request.headers.authorization
  // A pasted key can bring blanks that are not ASCII; Node hands a header over byte by byte.
  const text = header && header.length < 600 ? trimBlanks(Buffer.from(header, 'latin1').toString()) : ''
  const scheme = /^(?:bearer|basic)/i.exec(text)?.[0].toLowerCase()
  const rest = text.slice(scheme?.length)
  const secret = trimBlanks(rest)
  if (!scheme || secret.length === rest.length || !/^[\w+/=-]{1,500}$/.test(secret)) return null
  if (scheme === 'basic') {
    const key = looksLikeKey(secret) ? secret : trimBlanks(userNameIn(secret))
    return { kind: 'key', secret: key }
  }
  if (looksLikeKey(secret)) return { kind: 'key', secret }
  return /^[\w-]{20,200}$/.test(secret) ? { kind: 'session', secret } : null
}

const looksLikeKey = (secret: string) => secret.startsWith('plinth_')

const userNameIn = (encoded: string) => Buffer.from(encoded, 'base64').toString().split(':', 1)[0] ?? ''

/** Whether it is worth a look into the database. */
export const isWhole = ({ kind, secret }: Credential) => kind === 'session' || isApiKey(secret)
