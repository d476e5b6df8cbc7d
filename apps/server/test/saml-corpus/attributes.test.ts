import { expect, test } from 'vitest'
import { splitName } from '../../src/lib/person-name.ts'
import { base64, genuine, post } from './idp.ts'
import { attribute, nameId } from './message.ts'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const address = 'ada@example.com'
const ada = { email: address, first_name: 'Ada', last_name: 'Lovelace' }

type Sent = { name?: string; format?: string; attributes: Record<string, string> }

async function read({ name = 'u-17', format = persistent, attributes }: Sent) {
  const xml = Object.entries(attributes).map(([key, value]) => attribute(key, value))
  const posted = base64(genuine({ nameId: nameId(name, format), attributes: xml.join('') || '\n' }))
  return (await post(posted)).attributes
}

const providers: [string, Sent, Partial<typeof ada>?][] = [
  [
    'Okta',
    {
      name: address,
      format: unspecified,
      attributes: { 'user.firstName': 'Ada', 'user.lastName': 'Lovelace', 'user.email': address },
    },
  ],
  [
    'Entra ID',
    {
      attributes: {
        'http://schemas.microsoft.com/identity/claims/tenantid': 'e1b3',
        'http://schemas.microsoft.com/identity/claims/displayname': 'Ada K. Lovelace',
        [`${CLAIMS}/givenname`]: 'Ada',
        [`${CLAIMS}/surname`]: 'Lovelace',
        [`${CLAIMS}/emailaddress`]: address,
        [`${CLAIMS}/name`]: 'ada@tenant.onmicrosoft.example',
      },
    },
  ],
  [
    'Entra ID, of a user without a mailbox',
    { attributes: { [`${CLAIMS}/name`]: address, [`${CLAIMS}/upn`]: address } },
    { email: address },
  ],
  [
    'ADFS',
    {
      name: 'CORP\\ada',
      format: unspecified,
      attributes: {
        [`${CLAIMS}/upn`]: address,
        'http://schemas.xmlsoap.org/claims/CommonName': 'Lovelace, Ada',
      },
    },
  ],
  [
    'ADFS 1.x',
    {
      attributes: {
        'http://schemas.xmlsoap.org/claims/EmailAddress': address,
        'http://schemas.xmlsoap.org/claims/UPN': 'ada@corp.example',
        'http://schemas.xmlsoap.org/claims/CommonName': 'Ada Lovelace',
      },
    },
  ],
  [
    'Google Workspace',
    { name: address, format: unspecified, attributes: { firstName: 'Ada', lastName: 'Lovelace' } },
  ],
  [
    'OneLogin',
    {
      attributes: {
        'User.email': address,
        'User.FirstName': 'Ada',
        'User.LastName': 'Lovelace',
        memberOf: 'x',
      },
    },
  ],
  ['PingFederate', { attributes: { mail: address, cn: 'Ada Lovelace' } }],
  [
    'PingOne',
    { attributes: { saml_subject: 'u-17', email: address, givenName: 'Ada', familyName: 'Lovelace' } },
  ],
  [
    'Keycloak',
    {
      name: 'ada',
      format: unspecified,
      attributes: {
        'urn:oid:1.2.840.113549.1.9.1': address,
        'urn:oid:2.5.4.42': 'Ada',
        'urn:oid:2.5.4.4': 'Lovelace',
        Role: 'manage-account',
      },
    },
  ],
  [
    'Auth0',
    {
      attributes: {
        [`${CLAIMS}/nameidentifier`]: 'auth0|17',
        [`${CLAIMS}/emailaddress`]: address,
        [`${CLAIMS}/name`]: 'Ada Lovelace',
        [`${CLAIMS}/upn`]: address,
        'http://schemas.auth0.com/nickname': 'ada',
      },
    },
  ],
  ['JumpCloud', { attributes: { email: address, firstname: 'Ada', lastname: 'Lovelace' } }],
  [
    'Shibboleth',
    {
      attributes: {
        'urn:oid:0.9.2342.19200300.100.1.3': address,
        'urn:oid:2.16.840.1.113730.3.1.241': 'Ada Lovelace',
        'urn:oid:1.3.6.1.4.1.5923.1.1.1.6': 'al17@example.com',
      },
    },
  ],
  [
    'SimpleSAMLphp',
    {
      attributes: {
        uid: 'ada',
        mail: address,
        cn: 'Ada Lovelace',
        eduPersonPrincipalName: 'al17@example.com',
      },
    },
  ],
  [
    'a directory by its own names',
    { attributes: { userPrincipalName: address, displayName: 'Lovelace, Ada' } },
  ],
  ['names of SAML 1', { attributes: { 'urn:mace:dir:attribute-def:mail': address } }, { email: address }],
]

test.each(providers)(
  '%s: reads email and name from its default attributes',
  async (_, sent, expected = ada) => {
    expect(await read(sent)).toEqual({ email: null, first_name: null, last_name: null, ...expected })
  },
)

test('keeps the first name attribute and takes only the last name from the full name', async () => {
  const attributes = { mail: address, givenName: 'Augusta', displayName: 'Ada Lovelace' }
  expect(await read({ attributes })).toEqual({ ...ada, first_name: 'Augusta' })
})

test('T-50 a user name is no address where there is one, and is ignored when it is none', async () => {
  const upn = `${CLAIMS}/upn`
  expect((await read({ attributes: { mail: address, [upn]: 'b@example.com' } })).email).toBe(address)
  expect(
    (await read({ name: address, format: unspecified, attributes: { [upn]: 'b@example.com' } })).email,
  ).toBe(address)
  expect((await read({ attributes: { [upn]: 'CORP\\ada' } })).email).toBeNull()
  expect((await read({ attributes: { upn: address, userPrincipalName: 'b@example.com' } })).email).toBeNull()
})

test.each([
  ['Ada Lovelace', 'Ada', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['van der Berg, Zoë Marie', 'Zoë Marie', 'van der Berg'],
  ['Zoë  van der Berg', 'Zoë', 'van der Berg'],
  ['Kit', 'Kit', ''],
  ['Lovelace,', 'Lovelace,', ''],
  ['Ada Lovelace, Countess, FRS', 'Ada', 'Lovelace, Countess, FRS'],
  ['', '', ''],
])('the full name %j is split into %j and %j', (full, first, last) => {
  expect(splitName(full)).toEqual({ first, last })
})
