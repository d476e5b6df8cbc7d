import { readAttributes, type SamlAttributes } from './attributes.ts'
import type { Expected } from './expectations.ts'
import { attributeOf, childrenOf, ENTITY_FORMAT, only, SAML, textOf } from './names.ts'
import { SamlProblem } from './problem.ts'
import { refuseFailedStatus } from './structure.ts'
import { checkConfirmations, readNameId } from './subject.ts'
import { checkFresh, checkWindow, MAX_AGE, SKEW, timeOf } from './time-window.ts'
import type { Verified } from './verify-signatures.ts'
import type { Element } from './xml.ts'

export type ProvenIdentity = {
  /** Subject at this provider. Together with the connection it identifies a user; compare byte for byte. */
  nameId: string
  nameIdFormat: string | null
  sessionIndex: string | null
  /** Our session must end by then. */
  sessionNotOnOrAfter: Date | null
  assertionId: string
  /** The assertion id must be remembered until then; afterwards the assertion is refused as too old. */
  keepUntil: Date
  /** Claims of the provider without proof: the caller limits the address to the account's domains. */
  attributes: SamlAttributes
  /** Authentication method, as a URI. */
  authnContext: string | null
}

/** Checks that the message is for this service, this request and the current time, and reads the identity. */
export function readClaims(verified: Verified, expected: Expected): ProvenIdentity {
  const { assertion } = verified
  checkResponse(verified, expected)
  const issued = checkEnvelope(assertion, expected)
  const subject = only(assertion, SAML, 'Subject', 'subject')
  const { nameId, nameIdFormat } = readNameId(subject)
  checkConfirmations(subject, expected)
  const conditionsUntil = checkConditions(only(assertion, SAML, 'Conditions', 'conditions'), expected)
  const latest = Math.min(conditionsUntil.getTime(), issued.getTime() + MAX_AGE)
  return {
    nameId,
    nameIdFormat,
    ...readAuthentication(assertion, expected.now),
    assertionId: attributeOf(assertion, 'ID') ?? '',
    keepUntil: new Date(latest + SKEW),
    attributes: readAttributes(assertion, { nameId, nameIdFormat }),
  }
}

/**
 * An unsigned Response may omit Issuer and Destination (SAML profiles 4.1.4.2, bindings 3.5.5.2), because the signed
 * assertion contains issuer and recipient. Wrong values are always refused.
 */
function checkResponse({ response, responseSigned }: Verified, expected: Expected) {
  refuseFailedStatus(response)
  const unnamed = !responseSigned && childrenOf(response, SAML, 'Issuer').length === 0
  if (unnamed) checkIssue(response, expected)
  else checkEnvelope(response, expected)
  const destination = attributeOf(response, 'Destination')
  const absent = !responseSigned && destination === null
  if (!absent && destination !== expected.acsUrl) throw new SamlProblem('destination', destination)
  if (attributeOf(response, 'InResponseTo') !== expected.requestId) throw new SamlProblem('in_response_to')
}

/** Checks common to response and assertion. @returns the issue instant */
function checkEnvelope(element: Element, expected: Expected): Date {
  const issuer = only(element, SAML, 'Issuer', 'issuer')
  const format = attributeOf(issuer, 'Format')
  if (textOf(issuer, 'issuer') !== expected.idpEntityId || (format !== null && format !== ENTITY_FORMAT)) {
    throw new SamlProblem('issuer', issuer.text)
  }
  return checkIssue(element, expected)
}

function checkIssue(element: Element, { now }: Expected): Date {
  const version = attributeOf(element, 'Version')
  if (version !== '2.0') throw new SamlProblem('version', version)
  const issued = timeOf(element, 'IssueInstant')
  checkFresh(issued, now)
  return issued
}

/** Refuses unknown conditions, because they cannot be evaluated. @returns the end of the validity */
function checkConditions(conditions: Element, { entityId, now }: Expected): Date {
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  // OneTimeUse always holds (assertion ids are remembered), ProxyRestriction too (assertions are not forwarded).
  const unknown = conditions.children.find(child => child.ns !== SAML || !known.includes(child.name))
  if (unknown) throw new SamlProblem('conditions', unknown.name)
  if (known.some(name => childrenOf(conditions, SAML, name).length > 1)) throw new SamlProblem('conditions')
  const restriction = only(conditions, SAML, 'AudienceRestriction', 'audience')
  const audience = only(restriction, SAML, 'Audience', 'audience')
  if (restriction.children.length > 1 || textOf(audience, 'audience') !== entityId) {
    throw new SamlProblem('audience', audience.text)
  }
  return checkWindow(conditions, now)
}

function readAuthentication(assertion: Element, now: Date) {
  const statement = only(assertion, SAML, 'AuthnStatement', 'authentication')
  timeOf(statement, 'AuthnInstant')
  const ends =
    attributeOf(statement, 'SessionNotOnOrAfter') === null ? null : timeOf(statement, 'SessionNotOnOrAfter')
  if (ends && ends <= now) throw new SamlProblem('session_over')
  const context = only(statement, SAML, 'AuthnContext', 'authentication')
  const [classRef, ...more] = childrenOf(context, SAML, 'AuthnContextClassRef')
  if (more.length > 0) throw new SamlProblem('authentication')
  const sessionIndex = attributeOf(statement, 'SessionIndex')
  if (sessionIndex && sessionIndex.length > 500) throw new SamlProblem('authentication')
  return {
    sessionIndex,
    sessionNotOnOrAfter: ends,
    authnContext: classRef ? textOf(classRef, 'authentication').slice(0, 500) : null,
  }
}
