import type { Expected } from './expected.ts'
import { checkWindow } from './moments.ts'
import { attributeOf, BEARER, is, only, SAML, TRANSIENT_FORMAT, textOf } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

/** The limit SAML sets for a persistent identifier; an address fits too. */
const MAX_NAME_ID = 256

export function readNameId(subject: Element): { nameId: string; nameIdFormat: string | null } {
  const element = only(subject, SAML, 'NameID', 'name_id')
  const nameId = textOf(element, 'name_id')
  const nameIdFormat = attributeOf(element, 'Format')
  // Two spellings that look alike would be two people, or one person twice.
  if (nameId.length > MAX_NAME_ID || nameId !== nameId.trim() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(nameId)) {
    throw new SamlProblem('name_id')
  }
  // Another one at every sign-in: no key for an identity.
  if (nameIdFormat === TRANSIENT_FORMAT) throw new SamlProblem('transient_name_id')
  return { nameId, nameIdFormat }
}

/** That whoever brings the message is its subject: a bearer's, for our address, our request and this moment. */
export function checkConfirmation(subject: Element, { acsUrl, requestId, now }: Expected): Date {
  if (subject.children.some(child => !is(child, SAML, 'NameID') && !is(child, SAML, 'SubjectConfirmation'))) {
    throw new SamlProblem('subject')
  }
  const confirmation = only(subject, SAML, 'SubjectConfirmation', 'confirmation')
  const method = attributeOf(confirmation, 'Method')
  if (method !== BEARER) throw new SamlProblem('confirmation', method)
  const data = only(confirmation, SAML, 'SubjectConfirmationData', 'confirmation')
  if (confirmation.children.length > 1 || data.children.length > 0) throw new SamlProblem('confirmation')
  const recipient = attributeOf(data, 'Recipient')
  if (recipient !== acsUrl) throw new SamlProblem('recipient', recipient)
  if (attributeOf(data, 'InResponseTo') !== requestId) throw new SamlProblem('in_response_to')
  return checkWindow(data, now)
}
