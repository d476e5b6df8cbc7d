import { invalid } from '../http/api-error.ts'

const answerFaults = ['wrong_state', 'missing_state', 'token_500'] as const

const openIdFaults = [
  ...answerFaults,
  ...['wrong_response_iss', 'missing_response_iss', 'wrong_nonce', 'missing_nonce', 'wrong_aud'],
  ...['other_client', 'wrong_iss', 'expired', 'issued_in_future', 'not_yet_valid', 'wrong_azp'],
  ...['several_audiences', 'missing_sub', 'alg_none', 'hs256_public_key', 'unknown_key'],
  ...['jwk_header', 'jku_header', 'bad_signature', 'missing_id_token', 'email_verified_false'],
  ...['email_verified_string', 'email_verified_missing', 'email_missing', 'userinfo_other_sub'],
  'userinfo_500',
] as const

const githubFaults = [
  ...answerFaults,
  ...['primary_unverified', 'none_verified', 'no_emails', 'user_500', 'emails_500'],
] as const

export type IdentityFault = (typeof openIdFaults)[number] | (typeof githubFaults)[number]

/** The fault named in a consent; it applies to this authorization and its calls. */
export function readFault(provider: string, name: unknown): IdentityFault | undefined {
  if (name === undefined) return undefined
  const names = provider === 'github' ? githubFaults : openIdFaults
  const fault = names.find(one => one === name)
  if (!fault) throw invalid(`fault must be one of ${names.join(', ')}`, 'fault')
  return fault
}
