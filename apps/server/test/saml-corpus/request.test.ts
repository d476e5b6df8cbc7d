import { verify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createAuthnRequest } from '../../src/integrations/saml/saml.ts'
import { parseXml } from '../../src/integrations/saml/xml.ts'
import { idpKey } from './idp.ts'
import { NOW, service } from './message.ts'

const start = (ssoUrl: string, privateKey?: string) =>
  createAuthnRequest({ idp: { ssoUrl }, service, relayState: 'opaque-1', now: NOW, privateKey })
const requestOf = (url: string) =>
  inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64')).toString()

test('a request contains its id, issuer, callback URL and destination', () => {
  const ssoUrl = 'https://idp.example.com/sso?tenant=1&x="y"'
  const { id, url } = start(ssoUrl)
  expect(new URL(url).searchParams.get('tenant')).toBe('1')
  expect(new URL(url).searchParams.get('RelayState')).toBe('opaque-1')
  const root = parseXml(requestOf(url), 'message')
  expect(root.name).toBe('AuthnRequest')
  expect(Object.fromEntries(root.attributes.map(({ name, value }) => [name, value]))).toEqual({
    ID: id,
    Version: '2.0',
    IssueInstant: NOW.toISOString(),
    Destination: ssoUrl,
    AssertionConsumerServiceURL: service.acsUrl,
    ProtocolBinding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  })
  expect(root.children[0]?.text).toBe(service.entityId)
})

test('ids are new and hold 160 random bits', () => {
  const ids = Array.from({ length: 100 }, () => start('https://idp.example.com/').id)
  expect(new Set(ids).size).toBe(100)
  expect(ids.every(id => /^_[0-9a-f]{40}$/.test(id))).toBe(true)
})

test('with a key the text that travels is signed, in the binding’s order', () => {
  const { url } = start('https://idp.example.com/sso', idpKey.privateKey)
  const query = url.slice(url.indexOf('?') + 1)
  const end = query.lastIndexOf('&Signature=')
  expect([...new URLSearchParams(query).keys()]).toEqual(['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'])
  const signature = Buffer.from(new URLSearchParams(query).get('Signature') ?? '', 'base64')
  const covers = (text: string) => verify('sha256', Buffer.from(text), idpKey.certificate, signature)
  expect(covers(query.slice(0, end))).toBe(true)
  expect(covers(query.slice(0, end).replace('opaque-1', 'opaque-2'))).toBe(false)
})

test('T-51 T-75 a RelayState is an opaque id, never an address', () => {
  for (const relayState of ['', 'https://evil.example.com', '/dashboard', 'x'.repeat(81)]) {
    const begin = () =>
      createAuthnRequest({ idp: { ssoUrl: 'https://idp.example.com/' }, service, relayState, now: NOW })
    expect(begin).toThrow('Expected a RelayState of at most 80 word characters')
  }
})
