import { randomBytes } from 'node:crypto'
import { fullName, type Person } from '../people.ts'
import { choice, group, type Options, raw, text, texts, time } from './response-options.ts'
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

const issuerElement = (issuer: string | null) =>
  issuer === null ? '' : element('saml:Issuer', {}, escapeXml(issuer))

function statusElement(options: Options): string {
  const given = text(options, 'status', 'Success')
  if (given === null) return ''
  const uri = (code: string) => (code.includes(':') ? code : `urn:oasis:names:tc:SAML:2.0:status:${code}`)
  const second = text(options, 'second_status', null)
  const message = text(options, 'status_message', null)
  const nested = second === null ? '' : element('samlp:StatusCode', { Value: uri(second) })
  return element(
    'samlp:Status',
    {},
    element('samlp:StatusCode', { Value: uri(given) }, nested) +
      (message === null ? '' : element('samlp:StatusMessage', {}, escapeXml(message))),
  )
}

function nameId({ person, format }: ResponseInput, options: Options): string {
  const given = group(options, 'name_id')
  if (!given) return ''
  const proper = format.endsWith(':emailAddress') ? person.email : person.subject
  const value = text(given, 'value', proper) ?? ''
  return element(
    'saml:NameID',
    {
      Format: text(given, 'format', format),
      NameQualifier: text(given, 'name_qualifier', null),
      SPNameQualifier: text(given, 'sp_name_qualifier', null),
    },
    text(given, 'xml', null) ?? escapeXml(value),
  )
}

function confirmation(answer: ResponseInput, options: Options): string {
  const given = group(options, 'subject_confirmation')
  if (!given) return ''
  const method = text(given, 'method', 'bearer') ?? ''
  const data = element('saml:SubjectConfirmationData', {
    NotBefore: time(given, 'not_before', null),
    NotOnOrAfter: time(given, 'not_on_or_after', 5 * minutes),
    Recipient: text(given, 'recipient', answer.acs_url),
    InResponseTo: text(given, 'in_response_to', answer.in_response_to),
    Address: text(given, 'address', null),
  })
  const uri = method.includes(':') ? method : `urn:oasis:names:tc:SAML:2.0:cm:${method}`
  return element('saml:SubjectConfirmation', { Method: uri }, given.data === null ? '' : data)
}

function conditions(answer: ResponseInput, options: Options): string {
  const given = group(options, 'conditions')
  if (!given) return ''
  const audiences = texts(given, 'audience', [answer.audience])
    .map(one => element('saml:Audience', {}, escapeXml(one)))
    .join('')
  return element(
    'saml:Conditions',
    {
      NotBefore: time(given, 'not_before', -minutes),
      NotOnOrAfter: time(given, 'not_on_or_after', 5 * minutes),
    },
    (audiences && element('saml:AudienceRestriction', {}, audiences)) + raw(given, 'extra_xml'),
  )
}

function authnStatement(options: Options): string {
  const given = group(options, 'authn')
  if (!given) return ''
  const context = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
  return element(
    'saml:AuthnStatement',
    {
      AuthnInstant: time(given, 'authn_instant', 0),
      SessionIndex: text(given, 'session_index', newXmlId()),
      SessionNotOnOrAfter: time(given, 'session_not_on_or_after', 8 * 60 * minutes),
    },
    element(
      'saml:AuthnContext',
      {},
      element('saml:AuthnContextClassRef', {}, escapeXml(text(given, 'class_ref', context) ?? '')),
    ),
  )
}

function attributes({ person }: ResponseInput, options: Options): string {
  const given = group(options, 'attributes')
  if (!given) return ''
  const proper = {
    email: person.email,
    firstName: person.first_name || null,
    lastName: person.last_name || null,
    displayName: fullName(person) || null,
  }
  const all: Options = { ...proper, ...given }
  const written = Object.keys(all)
    .filter(name => all[name] !== null)
    .map(name => {
      const values = texts(all, name, []).map(value => element('saml:AttributeValue', {}, escapeXml(value)))
      const format = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic'
      return element('saml:Attribute', { Name: name, NameFormat: format }, values.join(''))
    })
  const content = written.join('') + raw(options, 'attributes_xml')
  return content && element('saml:AttributeStatement', {}, content)
}

function assertionXml(answer: ResponseInput, options: Options): { xml: string; id: string } {
  const id = text(options, 'id', newXmlId()) ?? ''
  const subject =
    options.subject === null
      ? ''
      : element('saml:Subject', {}, nameId(answer, options) + confirmation(answer, options))
  const xml = element(
    'saml:Assertion',
    {
      'xmlns:saml': saml,
      ID: id || null,
      Version: text(options, 'version', '2.0'),
      IssueInstant: time(options, 'issue_instant', 0),
    },
    issuerElement(text(options, 'issuer', answer.issuer)) +
      subject +
      conditions(answer, options) +
      raw(options, 'extra_xml') +
      authnStatement(options) +
      attributes(answer, options),
  )
  return { xml, id }
}

/** Builds the response with all options, and signs it last so that the options are signed too. */
export function buildResponse(answer: ResponseInput, options: Options, signing: Signing): Built {
  const signs = choice(options, 'sign', ['both', 'assertion', 'response', 'none'])
  const outer = group(options, 'response') ?? {}
  const wishes = [
    group(options, 'assertion'),
    options.second_assertion ? group(options, 'second_assertion') : null,
  ]
  const assertions = wishes.flatMap(one => (one ? [assertionXml(answer, one)] : []))
  const response_id = text(outer, 'id', newXmlId()) ?? ''
  const body =
    issuerElement(text(outer, 'issuer', answer.issuer)) +
    raw(outer, 'extra_xml') +
    statusElement(outer) +
    assertions.map(({ xml }) => xml).join('')
  let xml = element(
    'samlp:Response',
    {
      'xmlns:samlp': samlp,
      'xmlns:saml': saml,
      ID: response_id || null,
      Version: text(outer, 'version', '2.0'),
      IssueInstant: time(outer, 'issue_instant', 0),
      Destination: text(outer, 'destination', answer.acs_url),
      InResponseTo: text(outer, 'in_response_to', answer.in_response_to),
      Consent: text(outer, 'consent', null),
    },
    body,
  )
  if (signs === 'both' || signs === 'assertion')
    for (const { id } of assertions) xml = signElement(xml, id, signing)
  if (signs === 'both' || signs === 'response') xml = signElement(xml, response_id, signing)
  return {
    xml: raw(options, 'prefix') + xml + raw(options, 'suffix'),
    response_id,
    assertion_ids: assertions.map(({ id }) => id),
  }
}
