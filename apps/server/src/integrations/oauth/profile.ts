import { normalizeEmail } from '@plinth/contract/email'
import { hasVisibleText } from '@plinth/contract/text'
import { splitName } from '../../lib/person-name.ts'
import type { ProviderId } from './providers.ts'

/** What a provider says of a person, checked; all that is kept of its answer. */
export type Profile = {
  /** With `subject` the key of the identity; never the address, which changes hands. */
  issuer: string
  subject: string
  /** One spelling; null when there is none, or it is no address. */
  email: string | null
  /** The provider says, in so many words, that the address is this person's. */
  email_verified: boolean
  first_name: string
  last_name: string
}

export type Claims = Readonly<Record<string, unknown>>

/** The claims of OpenID Connect. */
export function profileOf(provider: ProviderId, issuer: string, subject: string, claims: Claims): Profile {
  const { first, last } = splitName(cleanPersonName(claims.name))
  return {
    issuer,
    subject,
    email: addressOf(claims.email),
    email_verified: isEmailVerified(provider, claims),
    first_name: cleanPersonName(claims.given_name) || first,
    last_name: cleanPersonName(claims.family_name) || last,
  }
}

/**
 * Only the literal true counts (T-58), but for the operator's own issuer, where "true" is the same: Cognito and others
 * send it as text. At Microsoft any tenant's administrator writes what they like into `email`; that the domain is proven
 * is said by `xms_edov` alone, which the application's registration has to ask for.
 */
function isEmailVerified(provider: ProviderId, claims: Claims): boolean {
  if (provider === 'oidc' && claims.email_verified === 'true') return true
  return (provider === 'microsoft' ? claims.xms_edov : claims.email_verified) === true
}

/** GitHub's user and addresses: the primary one counts, and only if it is verified. */
export function profileOfGitHub(issuer: string, user: Claims, emails: unknown): Profile {
  const { id } = user
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) throw new Error('A user without an id')
  const list: unknown[] = Array.isArray(emails) ? emails : []
  const primary = list.find((one): one is Claims => isRecord(one) && one.primary === true)
  const { first, last } = splitName(cleanPersonName(user.name))
  return {
    issuer,
    subject: String(id),
    email: addressOf(primary?.email),
    email_verified: primary?.verified === true,
    first_name: first,
    last_name: last,
  }
}

export const isRecord = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const addressOf = (value: unknown) => (typeof value === 'string' ? normalizeEmail(value) : null)

/** A name as it can be kept: visible, composed, no control or direction characters, no longer than a name may be. */
function cleanPersonName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const clean = value
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ')
    .trim()
  const name = [...clean].slice(0, 50).join('').trim()
  return hasVisibleText(name) ? name : ''
}
