import { describe, expect, test } from 'vitest'
import { bothSigned, genuine, responseSigned, signed, verdict } from './idp.ts'
import { at, audience, authnContext, responseXml, service } from './message.ts'
import { type Case, refusedHoweverSigned } from './refused.ts'

describe('T-52 who it is for', () => {
  const other = 'https://other.example.com/'
  refusedHoweverSigned([
    ['another destination', { response: { Destination: other } }, 'destination'],
    ['an empty destination', { response: { Destination: '' } }, 'destination'],
    [
      'a destination that only begins like ours',
      { response: { Destination: `${service.acsUrl}/` } },
      'destination',
    ],
    ['another recipient', { confirmationData: { Recipient: other } }, 'recipient'],
    ['no recipient', { confirmationData: { Recipient: null } }, 'recipient'],
    [
      'a recipient in capitals',
      { confirmationData: { Recipient: service.acsUrl.toUpperCase() } },
      'recipient',
    ],
    ['another audience', { conditionsContent: audience(other) }, 'audience'],
    ['no audience', { conditionsContent: '' }, 'audience'],
    ['an empty restriction', { conditionsContent: audience() }, 'audience'],
    ['an empty audience', { conditionsContent: audience('') }, 'audience'],
    ['ours among others', { conditionsContent: audience(service.entityId, other) }, 'audience'],
    ['two restrictions', { conditionsContent: audience(service.entityId) + audience(other) }, 'conditions'],
    [
      'an element within the audience',
      { conditionsContent: audience(`${service.entityId}<saml:Audience/>`) },
      'audience',
    ],
    [
      'an issuer beside the audience',
      {
        conditionsContent: audience(service.entityId).replace(
          '</saml:AudienceR',
          '<saml:Issuer/></saml:AudienceR',
        ),
      },
      'audience',
    ],
    ['an audience with a space', { conditionsContent: audience(`${service.entityId} `) }, 'audience'],
  ])
})

describe('T-52 who it is from', () => {
  const issuer = (text: string, attributes = '') => `<saml:Issuer${attributes}>${text}</saml:Issuer>`
  const ours = 'https://idp.example.com/metadata'
  const entity = ' Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity"'
  const cases: Case[] = [
    ['another issuer', { assertionIssuer: issuer('https://evil.example.com') }, 'issuer'],
    ['two issuers', { assertionIssuer: issuer(ours) + issuer(ours) }, 'issuer'],
    ['an empty issuer', { assertionIssuer: issuer('') }, 'issuer'],
    ['an element within the issuer', { assertionIssuer: issuer(`${ours}<saml:Issuer/>`) }, 'issuer'],
    [
      'an issuer of another format',
      { assertionIssuer: issuer(ours, ' Format="urn:x"') },
      'issuer',
      { assertionIssuer: issuer(ours, entity) },
    ],
  ]
  // The signature follows an issuer, so each message is signed where it has one.
  test.each(cases)('%s', async (_, attack, code, control = {}) => {
    const response = { ...attack, responseIssuer: attack.assertionIssuer, assertionIssuer: undefined }
    expect(await verdict(genuine(control))).toBe('accepted')
    expect(await verdict(responseSigned(attack))).toBe(code)
    expect(await verdict(genuine(response))).toBe(code)
  })
  test('no issuer of the assertion', async () => {
    expect(await verdict(responseSigned({ assertionIssuer: '' }))).toBe('issuer')
  })
})

describe('T-52 a Response around a signed assertion', () => {
  const bare = { response: { Destination: null }, responseIssuer: '' }
  const other = 'https://other.example.com/'

  test('may leave out its issuer and destination when it is not signed itself', async () => {
    expect(await verdict(genuine({ response: { Destination: null } }))).toBe('accepted')
    expect(await verdict(genuine({ responseIssuer: '' }))).toBe('accepted')
    expect(await verdict(genuine(bare))).toBe('accepted')
  })

  test('still needs the right recipient, audience, request, version and time without them', async () => {
    expect(await verdict(genuine({ ...bare, confirmationData: { Recipient: other } }))).toBe('recipient')
    expect(await verdict(genuine({ ...bare, conditionsContent: audience(other) }))).toBe('audience')
    expect(await verdict(genuine({ ...bare, response: { ...bare.response, InResponseTo: '_x' } }))).toBe(
      'in_response_to',
    )
    expect(await verdict(genuine({ ...bare, response: { ...bare.response, Version: '1.1' } }))).toBe(
      'version',
    )
    expect(await verdict(genuine({ ...bare, response: { ...bare.response, IssueInstant: at(-361) } }))).toBe(
      'stale',
    )
    expect(await verdict(genuine({ response: { Destination: other }, responseIssuer: '' }))).toBe(
      'destination',
    )
  })

  test('needs both when it is signed itself', async () => {
    for (const make of [responseSigned, bothSigned]) {
      expect(await verdict(make())).toBe('accepted')
      expect(await verdict(make({ response: { Destination: null } }))).toBe('destination')
    }
    expect(await verdict(signed(responseXml({ responseIssuer: '' }), 'Response', { place: 'first' }))).toBe(
      'signature_shape',
    )
  })
})

describe('T-51 InResponseTo', () => {
  refusedHoweverSigned([
    ['a response to another request', { response: { InResponseTo: '_request2' } }, 'in_response_to'],
    ['a response to none', { response: { InResponseTo: null } }, 'in_response_to'],
    ['a subject of another request', { confirmationData: { InResponseTo: '_request2' } }, 'in_response_to'],
    ['a subject of none', { confirmationData: { InResponseTo: null } }, 'in_response_to'],
    ['an empty one', { confirmationData: { InResponseTo: '' } }, 'in_response_to'],
  ])
})

describe('T-52 when', () => {
  refusedHoweverSigned([
    [
      'a response that is old',
      { response: { IssueInstant: at(-361) } },
      'stale',
      { response: { IssueInstant: at(-359) } },
    ],
    [
      'an assertion that is old',
      { assertion: { IssueInstant: at(-361) } },
      'stale',
      { assertion: { IssueInstant: at(-359) } },
    ],
    [
      'a response from the future',
      { response: { IssueInstant: at(61) } },
      'not_yet_valid',
      { response: { IssueInstant: at(60) } },
    ],
    ['an assertion from the future', { assertion: { IssueInstant: at(61) } }, 'not_yet_valid'],
    ['no time of issue', { assertion: { IssueInstant: null } }, 'bad_time'],
    ['no time of the response', { response: { IssueInstant: null } }, 'bad_time'],
    [
      'conditions over',
      { conditions: { NotOnOrAfter: at(-60) } },
      'expired',
      { conditions: { NotOnOrAfter: at(-59) } },
    ],
    [
      'conditions to come',
      { conditions: { NotBefore: at(61) } },
      'not_yet_valid',
      { conditions: { NotBefore: at(60) } },
    ],
    [
      'conditions without an end',
      { conditions: { NotOnOrAfter: null } },
      'bad_time',
      { conditions: { NotBefore: null } },
    ],
    [
      'conditions that end before they begin',
      { conditions: { NotBefore: at(50), NotOnOrAfter: at(40) } },
      'expired',
    ],
    [
      'a subject over',
      { confirmationData: { NotOnOrAfter: at(-60) } },
      'expired',
      { confirmationData: { NotOnOrAfter: at(-59) } },
    ],
    ['a subject without an end', { confirmationData: { NotOnOrAfter: null } }, 'bad_time'],
    ['a subject to come', { confirmationData: { NotBefore: at(61) } }, 'not_yet_valid'],
    [
      'a session over',
      { authn: { SessionNotOnOrAfter: at(0) } },
      'session_over',
      { authn: { SessionNotOnOrAfter: at(1) } },
    ],
    ['a time without a zone', { conditions: { NotOnOrAfter: '2026-11-20T12:05:00' } }, 'bad_time'],
    ['a time in another zone', { conditions: { NotOnOrAfter: '2026-11-20T12:05:00+01:00' } }, 'bad_time'],
    ['a day that is none', { conditions: { NotOnOrAfter: '2027-02-30T12:05:00Z' } }, 'bad_time'],
    ['an hour that is none', { conditions: { NotOnOrAfter: '2026-11-20T25:05:00Z' } }, 'bad_time'],
    ['a time as a number', { authn: { SessionNotOnOrAfter: '99999999999' } }, 'bad_time'],
  ])
})

describe('T-52 of which kind', () => {
  const condition =
    '<saml:Condition xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:x="urn:x" xsi:type="x:Only"/>'
  const ours = audience(service.entityId)
  refusedHoweverSigned([
    ['a response of version 1.1', { response: { Version: '1.1' } }, 'version'],
    ['an assertion of version 1.1', { assertion: { Version: '1.1' } }, 'version'],
    ['no version', { assertion: { Version: null } }, 'version'],
    ['a condition nobody knows', { conditionsContent: ours + condition }, 'conditions'],
    [
      'OneTimeUse twice',
      { conditionsContent: `${ours}<saml:OneTimeUse/><saml:OneTimeUse/>` },
      'conditions',
      { conditionsContent: `${ours}<saml:OneTimeUse/>` },
    ],
    [
      'ProxyRestriction twice',
      { conditionsContent: `${ours}<saml:ProxyRestriction/><saml:ProxyRestriction/>` },
      'conditions',
      { conditionsContent: `${ours}<saml:ProxyRestriction Count="0"/>` },
    ],
    ['an authentication without a time', { authn: { AuthnInstant: null } }, 'bad_time'],
    ['no authentication context', { authnContent: '' }, 'authentication'],
    [
      'two classes of authentication',
      { authnContent: authnContext('a</saml:AuthnContextClassRef><saml:AuthnContextClassRef>b') },
      'authentication',
    ],
    [
      'a session index without end',
      { authn: { SessionIndex: 'x'.repeat(501) } },
      'authentication',
      { authn: { SessionIndex: null } },
    ],
  ])
})
