import { normalizeEmail } from '@plinth/contract/email'
import { hasVisibleText } from '@plinth/contract/text'
import { splitName } from '../../lib/person-name.ts'
import type { ProviderId } from './providers.ts'

/** Validated profile from a provider; nothing else of its answer is kept. */
export type Profile = {
  /** With `subject` the key of the identity. An address is no key, because it can be reassigned. */
  issuer: string
  subject: string
  /** Normalised; null when missing or invalid. */
  email: string | null
  /** The provider explicitly states that it verified the address. */
  email_verified: boolean
  first_name: string
  last_name: string
}

export type Claims = Readonly<Record<string, unknown>>

/** Profile from OpenID Connect claims. */
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
 * Requires the literal true. The operator's own issuer may also send the text "true", as Cognito does. At Microsoft any
 * tenant administrator can set `email`, so only `xms_edov` proves the domain; the app registration must request it.
 */
function isEmailVerified(provider: ProviderId, claims: Claims): boolean {
  if (provider === 'oidc' && claims.email_verified === 'true') return true
  return (provider === 'microsoft' ? claims.xms_edov : claims.email_verified) === true
}

/** Profile from GitHub's user and addresses. Uses the primary address only. */
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

/** A name in NFC, without control and direction characters, cut to the maximum length; empty when not visible. */
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
