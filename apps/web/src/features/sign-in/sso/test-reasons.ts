import type { TextKey } from '../../../lib/i18n/texts.ts'

/** Advice for each error code. Codes that only a forgery or a broken provider causes share one text. */
const reasons: Record<string, TextKey> = {
  domain_unproven: 'sso.test.reason.domain_unproven',
  email_missing: 'sso.test.reason.email_missing',
  email: 'sso.test.reason.email',
  name_id: 'sso.test.reason.name_id',
  transient_name_id: 'sso.test.reason.transient_name_id',
  status: 'sso.test.reason.status',
  encrypted: 'sso.test.reason.encrypted',
  unsigned: 'sso.test.reason.unsigned',
  signature: 'sso.test.reason.signature',
  algorithm: 'sso.test.reason.algorithm',
  issuer: 'sso.test.reason.issuer',
  audience: 'sso.test.reason.audience',
  destination: 'sso.test.reason.destination',
  recipient: 'sso.test.reason.destination',
  in_response_to: 'sso.test.reason.in_response_to',
  expired: 'sso.test.reason.clock',
  not_yet_valid: 'sso.test.reason.clock',
  stale: 'sso.test.reason.clock',
  bad_time: 'sso.test.reason.clock',
  session_over: 'sso.test.reason.clock',
}

export const testReasonOf = (code: string): TextKey =>
  (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? 'sso.test.reason.other'
