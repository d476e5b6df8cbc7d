import type { Expected } from './expectations.ts'
import { attributeOf, BEARER, childrenOf, is, only, SAML, TRANSIENT_FORMAT, textOf } from './names.ts'
import { SamlProblem } from './problem.ts'
import { checkWindow } from './time-window.ts'
import type { Element } from './xml.ts'

/** SAML's limit for a persistent identifier; long enough for an address. */
const MAX_NAME_ID = 256

export function readNameId(subject: Element): { nameId: string; nameIdFormat: string | null } {
  const element = only(subject, SAML, 'NameID', 'name_id')
  const nameId = textOf(element, 'name_id')
  const nameIdFormat = attributeOf(element, 'Format')
  // Refuse values that look alike but differ, such as invisible characters.
  if (nameId.length > MAX_NAME_ID || nameId !== nameId.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(nameId)) {
    throw new SamlProblem('name_id')
  }
  // A transient id changes at every sign-in, so it cannot identify a user.
  if (nameIdFormat === TRANSIENT_FORMAT) throw new SamlProblem('transient_name_id')
  return { nameId, nameIdFormat }
}

/** One valid confirmation is enough (SAML core 2.4.1.1); otherwise throws the first problem. */
export function checkConfirmations(subject: Element, expected: Expected) {
  if (subject.children.some(child => !is(child, SAML, 'NameID') && !is(child, SAML, 'SubjectConfirmation'))) {
    throw new SamlProblem('subject')
  }
  const problems: SamlProblem[] = []
  for (const confirmation of childrenOf(subject, SAML, 'SubjectConfirmation')) {
    try {
      return checkConfirmation(confirmation, expected)
    } catch (problem) {
      if (!(problem instanceof SamlProblem)) throw problem
      problems.push(problem)
    }
  }
  throw problems[0] ?? new SamlProblem('confirmation')
}

/** Accepts bearer confirmations for our callback URL, this request and the current time. */
function checkConfirmation(confirmation: Element, { acsUrl, requestId, now }: Expected) {
  const method = attributeOf(confirmation, 'Method')
  if (method !== BEARER) throw new SamlProblem('confirmation', method)
  const data = only(confirmation, SAML, 'SubjectConfirmationData', 'confirmation')
  if (confirmation.children.length > 1 || data.children.length > 0) throw new SamlProblem('confirmation')
  const recipient = attributeOf(data, 'Recipient')
  if (recipient !== acsUrl) throw new SamlProblem('recipient', recipient)
  if (attributeOf(data, 'InResponseTo') !== requestId) throw new SamlProblem('in_response_to')
  checkWindow(data, now)
}
