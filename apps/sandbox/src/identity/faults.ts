import { invalid } from '../http/api-error.ts'
import { createHolds } from '../http/holds.ts'
import { isRecord } from '../is-record.ts'
import { providers } from './providers.ts'

/** What can be wrong with the authorization, and is decided when a person consents. */
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

/** What strikes a call that no person has a part in. */
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
  /** How long token_slow waits. */
  ms: number
  /** For `mutate`: what `POST /identity/saml/sign` takes as its `options`. */
  options: Record<string, unknown>
}

/** A fault that an authorization carries with it. */
export type ConsentMishap = IdentityFault & { kind: ConsentFault }

const isOfConsent = (fault: IdentityFault): fault is ConsentMishap =>
  !callFaults.some(one => one === fault.kind)

function kindsOf(provider: string): readonly Kind[] {
  if (/^saml(\/[a-z0-9-]+)?$/.test(provider)) return [...samlFaults, 'metadata_500']
  // GitHub is also there as an OpenID Connect issuer, for products that treat it as one
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

/** Misfortunes asked for by a test, each for the next `times` authorizations (or calls) of one provider. */
export function createIdentityFaults() {
  const waiting: IdentityFault[] = []
  const { hold, count, release } = createHolds()

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
    /** The fault of this authorization: the one named with the consent, else the next that waits. */
    ofConsent(provider: string, body: Record<string, unknown>): ConsentMishap | undefined {
      const { fault: kind, ms, options } = body
      if (kind === undefined) return take(waiting.filter(isOfConsent).find(one => one.provider === provider))
      const fault = readFault({ provider, kind, ms, options })
      if (isOfConsent(fault)) return fault
      throw invalid('This fault strikes a call, not an authorization: POST /identity/faults', 'fault')
    },
    ofCall: (provider: string, kind: CallFault) =>
      take(waiting.find(fault => fault.provider === provider && fault.kind === kind)),
    hold,
    held: count,
    clear() {
      waiting.length = 0
      release()
    },
  }
}
