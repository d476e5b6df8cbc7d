import { invalid } from '../http/api-error.ts'
import { createDelayedCalls } from '../http/delayed-calls.ts'
import { isRecord } from '../is-record.ts'
import { providers } from './providers.ts'

/** Faults of an authorization, set when a person consents. */
const answerFaults = ['wrong_state', 'missing_state'] as const

const openIdFaults = [
  ...answerFaults,
  'wrong_response_iss',
  'missing_response_iss',
  'wrong_nonce',
  'missing_nonce',
  'wrong_aud',
  'other_client',
  'wrong_iss',
  'expired',
  'issued_in_future',
  'not_yet_valid',
  'wrong_azp',
  'several_audiences',
  'missing_sub',
  'alg_none',
  'hs256_public_key',
  'unknown_key',
  'jwk_header',
  'jku_header',
  'bad_signature',
  'missing_id_token',
  'email_verified_false',
  'email_verified_string',
  'email_verified_missing',
  'email_missing',
  'userinfo_other_sub',
  'userinfo_500',
  'token_500',
  'token_slow',
] as const

const githubFaults = [
  ...answerFaults,
  'primary_unverified',
  'none_verified',
  'no_emails',
  'user_500',
  'emails_500',
  'token_500',
  'token_slow',
] as const

/** Faults of calls without a person. */
const callFaults = ['discovery_500', 'jwks_500', 'metadata_500'] as const

const samlFaults = ['mutate'] as const

export type ConsentFault =
  | (typeof openIdFaults)[number]
  | (typeof githubFaults)[number]
  | (typeof samlFaults)[number]
export type CallFault = (typeof callFaults)[number]
type Kind = CallFault | ConsentFault

export interface IdentityFault {
  /** google, microsoft, github, oidc, saml, saml/<name>. */
  provider: string
  kind: Kind
  times: number
  /** Delay of token_slow. */
  ms: number
  /** For `mutate`: the `options` of `POST /identity/saml/sign`. */
  options: Record<string, unknown>
}

export type AppliedFault = IdentityFault & { kind: ConsentFault }

const isConsentFault = (fault: IdentityFault): fault is AppliedFault =>
  !callFaults.some(one => one === fault.kind)

function kindsOf(provider: string): readonly Kind[] {
  if (/^saml(\/[a-z0-9-]+)?$/.test(provider)) return [...samlFaults, 'metadata_500']
  // GitHub also has an OpenID Connect issuer, for products that expect one.
  if (provider === 'github')
    return [...new Set([...githubFaults, ...openIdFaults, ...callFaults.slice(0, 2)])]
  if (providers.some(({ id }) => id === provider)) return [...openIdFaults, ...callFaults.slice(0, 2)]
  throw invalid(
    `provider must be saml, saml/<name> or one of ${providers.map(({ id }) => id).join(', ')}`,
    'provider',
  )
}

function readFault(input: Record<string, unknown>): IdentityFault {
  const { provider, times, ms, options } = input
  const kinds = kindsOf(String(provider))
  const kind = kinds.find(one => one === input.kind)
  if (!kind) throw invalid(`kind must be one of ${kinds.join(', ')}`, 'kind')
  return {
    provider: String(provider),
    kind,
    times: Number(times ?? 1),
    ms: Number(ms ?? 30_000),
    options: isRecord(options) ? options : {},
  }
}

/** Faults set by a test, each for the next `times` authorizations or calls of one provider. */
export function createIdentityFaults() {
  const waiting: IdentityFault[] = []
  const { delay, count, releaseAll } = createDelayedCalls()

  function take<T extends IdentityFault>(fault: T | undefined): T | undefined {
    if (!fault) return undefined
    fault.times -= 1
    if (fault.times <= 0) waiting.splice(waiting.indexOf(fault), 1)
    return fault
  }

  return {
    add(input: Record<string, unknown>) {
      const fault = readFault(input)
      waiting.push(fault)
      return fault
    },
    all: () => waiting,
    /** The fault named in the consent, otherwise the next one set for this provider. */
    takeConsentFault(provider: string, body: Record<string, unknown>): AppliedFault | undefined {
      const { fault: kind, ms, options } = body
      if (kind === undefined)
        return take(waiting.filter(isConsentFault).find(one => one.provider === provider))
      const fault = readFault({ provider, kind, ms, options })
      if (isConsentFault(fault)) return fault
      throw invalid(
        'This fault applies to a call, not to an authorization: use POST /identity/faults',
        'fault',
      )
    },
    takeCallFault: (provider: string, kind: CallFault) =>
      take(waiting.find(fault => fault.provider === provider && fault.kind === kind)),
    delay,
    held: count,
    clear() {
      waiting.length = 0
      releaseAll()
    },
  }
}
