import { randomBytes } from 'node:crypto'

export const NOW = new Date('2026-11-20T12:00:00.000Z')
export const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000).toISOString()

export const idpEntityId = 'https://idp.example.com/metadata'
export const service = {
  entityId: 'https://app.example.com/auth/saml/metadata',
  acsUrl: 'https://app.example.com/auth/saml/acs',
}
export const requestId = '_request1'
export const person = 'ada@example.com'
export const evil = 'owner@example.com'

const P = 'urn:oasis:names:tc:SAML:2.0:protocol'
const A = 'urn:oasis:names:tc:SAML:2.0:assertion'
const newId = () => `_${randomBytes(8).toString('hex')}`

/** An attribute that is null is left out. */
type Attributes = Record<string, string | null>
const write = (attributes: Attributes) =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')

export type Parts = {
  response?: Attributes
  responseIssuer?: string
  status?: string
  /** Beside the assertion. */
  extra?: string
  assertion?: Attributes
  assertionIssuer?: string
  nameId?: string
  subject?: string
  confirmation?: Attributes
  confirmationData?: Attributes
  confirmationContent?: string
  conditions?: Attributes
  conditionsContent?: string
  authn?: Attributes
  authnContent?: string
  attributes?: string
}

const issuer = `<saml:Issuer>${idpEntityId}</saml:Issuer>`
export const status = (code: string, content = '') =>
  `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${code}">${content}</samlp:StatusCode></samlp:Status>`
export const nameId = (text: string, format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress') =>
  `<saml:NameID Format="${format}">${text}</saml:NameID>`
export const audience = (...values: string[]) =>
  `<saml:AudienceRestriction>${values.map(value => `<saml:Audience>${value}</saml:Audience>`).join('')}</saml:AudienceRestriction>`
export const attribute = (name: string, ...values: string[]) =>
  `<saml:Attribute Name="${name}">${values.map(value => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`
export const authnContext = (classRef = 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password') =>
  `<saml:AuthnContext><saml:AuthnContextClassRef>${classRef}</saml:AuthnContextClassRef></saml:AuthnContext>`

export function subjectXml(parts: Parts): string {
  const confirmation = write({ Method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer', ...parts.confirmation })
  const data = write({
    NotOnOrAfter: at(300),
    Recipient: service.acsUrl,
    InResponseTo: requestId,
    ...parts.confirmationData,
  })
  const content = parts.confirmationContent ?? `<saml:SubjectConfirmationData${data}/>`
  return (
    `<saml:Subject>${parts.nameId ?? nameId(person)}` +
    `<saml:SubjectConfirmation${confirmation}>${content}</saml:SubjectConfirmation></saml:Subject>`
  )
}

export function assertionXml(parts: Parts = {}): string {
  const envelope = write({ ID: newId(), Version: '2.0', IssueInstant: at(-1), ...parts.assertion })
  const conditions = write({ NotBefore: at(-300), NotOnOrAfter: at(300), ...parts.conditions })
  const authn = write({ AuthnInstant: at(-3600), SessionIndex: '_session1', ...parts.authn })
  return (
    `<saml:Assertion xmlns:saml="${A}"${envelope}>${parts.assertionIssuer ?? issuer}` +
    (parts.subject ?? subjectXml(parts)) +
    `<saml:Conditions${conditions}>${parts.conditionsContent ?? audience(service.entityId)}</saml:Conditions>` +
    `<saml:AuthnStatement${authn}>${parts.authnContent ?? authnContext()}</saml:AuthnStatement>` +
    `<saml:AttributeStatement>${parts.attributes ?? attribute('email', person)}</saml:AttributeStatement>` +
    '</saml:Assertion>'
  )
}

/** A response as an identity provider would write it, with any part replaced. Not signed yet. */
export function responseXml(parts: Parts = {}, assertion = assertionXml(parts)): string {
  const envelope = write({
    ID: newId(),
    Version: '2.0',
    IssueInstant: at(-1),
    Destination: service.acsUrl,
    InResponseTo: requestId,
    ...parts.response,
  })
  return (
    `<samlp:Response xmlns:samlp="${P}" xmlns:saml="${A}"${envelope}>${parts.responseIssuer ?? issuer}` +
    `${parts.status ?? status('Success')}${assertion}${parts.extra ?? ''}</samlp:Response>`
  )
}
