import { randomBytes } from 'node:crypto'
import { fullName, type Person } from '../people.ts'
import { choice, group, instant, type Options, text, time } from './response-options.ts'
import { type Signing, signElement } from './sign-xml.ts'
import { element, escapeXml } from './xml.ts'

/** Values of a correct response to a request. */
export interface ResponseInput {
  issuer: string
  acs_url: string
  audience: string
  in_response_to: string | null
  person: Person
  /** NameID's Format. */
  format: string
}

export interface Built {
  xml: string
  response_id: string
  assertion_ids: string[]
}

const samlp = 'urn:oasis:names:tc:SAML:2.0:protocol'
const saml = 'urn:oasis:names:tc:SAML:2.0:assertion'
const minutes = 60
const newXmlId = () => `_${randomBytes(16).toString('hex')}`

const issuerElement = (issuer: string) => element('saml:Issuer', {}, escapeXml(issuer))

function statusElement(options: Options): string {
  const uri = (code: string | null) => `urn:oasis:names:tc:SAML:2.0:status:${code}`
  const second = text(options, 'second_status', null)
  const message = text(options, 'status_message', null)
  const nested = second === null ? '' : element('samlp:StatusCode', { Value: uri(second) })
  return element(
    'samlp:Status',
    {},
    element('samlp:StatusCode', { Value: uri(text(options, 'status', 'Success')) }, nested) +
      (message === null ? '' : element('samlp:StatusMessage', {}, escapeXml(message))),
  )
}

function nameId({ person, format }: ResponseInput, options: Options): string {
  const given = group(options, 'name_id')
  const proper = format.endsWith(':emailAddress') ? person.email : person.subject
  const value = text(given, 'value', proper) ?? ''
  return element('saml:NameID', { Format: text(given, 'format', format) }, escapeXml(value))
}

function confirmation(answer: ResponseInput, options: Options): string {
  const given = group(options, 'subject_confirmation')
  const data = element('saml:SubjectConfirmationData', {
    NotOnOrAfter: time(given, 'not_on_or_after', 5 * minutes),
    Recipient: text(given, 'recipient', answer.acs_url),
    InResponseTo: text(given, 'in_response_to', answer.in_response_to),
  })
  return element('saml:SubjectConfirmation', { Method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer' }, data)
}

function conditions(answer: ResponseInput, options: Options): string {
  const given = group(options, 'conditions')
  const audience = text(given, 'audience', answer.audience)
  return element(
    'saml:Conditions',
    {
      NotBefore: time(given, 'not_before', -minutes),
      NotOnOrAfter: time(given, 'not_on_or_after', 5 * minutes),
    },
    audience === null
      ? ''
      : element('saml:AudienceRestriction', {}, element('saml:Audience', {}, escapeXml(audience))),
  )
}

function authnStatement(options: Options): string {
  const context = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  return element(
    'saml:AuthnStatement',
    {
      AuthnInstant: instant(0),
      SessionIndex: newXmlId(),
      SessionNotOnOrAfter: time(group(options, 'authn'), 'session_not_on_or_after', 8 * 60 * minutes),
    },
    element('saml:AuthnContext', {}, element('saml:AuthnContextClassRef', {}, context)),
  )
}

function attributes({ person }: ResponseInput, options: Options): string {
  const proper = {
    email: person.email,
    firstName: person.first_name || null,
    lastName: person.last_name || null,
    displayName: fullName(person) || null,
  }
  const all: Options = { ...proper, ...group(options, 'attributes') }
  const written = Object.keys(all).flatMap(name => {
    const value = text(all, name, null)
    if (value === null) return []
    const format = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'
    const content = element('saml:AttributeValue', {}, escapeXml(value))
    return element('saml:Attribute', { Name: name, NameFormat: format }, content)
  })
  return written.length > 0 ? element('saml:AttributeStatement', {}, written.join('')) : ''
}

function assertionXml(answer: ResponseInput, options: Options): { xml: string; id: string } {
  const id = newXmlId()
  const xml = element(
    'saml:Assertion',
    {
      'xmlns:saml': saml,
      ID: id,
      Version: '2.0',
      IssueInstant: instant(0),
    },
    issuerElement(text(options, 'issuer', null) ?? answer.issuer) +
      element('saml:Subject', {}, nameId(answer, options) + confirmation(answer, options)) +
      conditions(answer, options) +
      authnStatement(options) +
      attributes(answer, options),
  )
  return { xml, id }
}

/** Builds the response with all options, and signs it last so that the options are signed too. */
export function buildResponse(answer: ResponseInput, options: Options, signing: Signing): Built {
  const signs = choice(options, 'sign', ['both', 'response', 'none'])
  const outer = group(options, 'response')
  const wishes = [
    ...(options.assertion === null ? [] : [group(options, 'assertion')]),
    ...(options.second_assertion ? [group(options, 'second_assertion')] : []),
  ]
  const assertions = wishes.map(one => assertionXml(answer, one))
  const response_id = newXmlId()
  const body =
    issuerElement(text(outer, 'issuer', null) ?? answer.issuer) +
    statusElement(outer) +
    assertions.map(({ xml }) => xml).join('')
  let xml = element(
    'samlp:Response',
    {
      'xmlns:samlp': samlp,
      'xmlns:saml': saml,
      ID: response_id,
      Version: '2.0',
      IssueInstant: instant(0),
      Destination: text(outer, 'destination', answer.acs_url),
      InResponseTo: text(outer, 'in_response_to', answer.in_response_to),
    },
    body,
  )
  if (signs === 'both') for (const { id } of assertions) xml = signElement(xml, id, signing)
  if (signs !== 'none') xml = signElement(xml, response_id, signing)
  return {
    xml: (text(options, 'prefix', '') ?? '') + xml,
    response_id,
    assertion_ids: assertions.map(({ id }) => id),
  }
}
