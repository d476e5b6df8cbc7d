import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { base64, genuine, signed, verdict, verdictOf } from './idp.ts'
import { assertionXml, attribute, responseXml } from './message.ts'

/** A genuine, signed message in which something was put in front of the root. */
const behind = (prologue: string) => prologue + genuine()

/** As from a signer whose message grew: the sizes below are all on one side or the other of a limit. */
const padded = (size: number) => {
  const bare = genuine({ attributes: attribute('note', '') }).length
  return genuine({ attributes: attribute('note', 'x'.repeat(size - bare)) })
}

describe('T-54 sizes are refused before anything is parsed', () => {
  test('256 kB is the limit, and just below it a message is read', async () => {
    expect(await verdict(padded(256 * 1024 - 100))).toBe('accepted')
    expect(await verdict(padded(300 * 1024))).toBe('too_large')
  })

  test('a too large message is refused as such, even when it is neither base64 nor XML', async () => {
    expect(await verdictOf('!'.repeat(400_000))).toBe('too_large')
    expect(await verdict('<'.repeat(300_000))).toBe('too_large')
    expect(await verdictOf(' '.repeat(400_000) + base64(genuine()))).toBe('too_large')
  })

  test('nothing is inflated: a packed response is no text, whatever its size would be', async () => {
    expect(await verdict(genuine())).toBe('accepted')
    expect(await verdictOf(deflateRawSync(genuine()).toString('base64'))).toBe('bad_encoding')
    expect(await verdictOf(deflateRawSync(Buffer.alloc(100 * 1024 * 1024)).toString('base64'))).toBe(
      'bad_encoding',
    )
    expect(await verdictOf(gzipSync(genuine()).toString('base64'))).toBe('bad_encoding')
  })
})

describe('T-54 depth and number', () => {
  const nested = (depth: number) => '<saml:Advice>'.repeat(depth) + '</saml:Advice>'.repeat(depth)

  test('100,000 levels are too large, and as many as fit are refused at the 33rd, also where they are never closed', async () => {
    const within = (content: string) =>
      responseXml({}, assertionXml().replace('</saml:Conditions>', `$&${content}`))
    for (const what of ['Assertion', 'Response'] as const) {
      expect(await verdict(signed(within(nested(5)), what))).toBe('accepted')
      expect(await verdict(signed(within(nested(40)), what))).toBe('too_deep')
    }
    expect(await verdict(nested(9000))).toBe('bad_xml')
    const deep = '<a>'.repeat(37_000)
    expect(await verdict(deep)).toBe('too_deep')
    expect(await verdict(deep + '</a>'.repeat(37_000))).toBe('too_deep')
    expect(await verdict('<a>'.repeat(87_000))).toBe('too_deep')
    expect(await verdict('<a>'.repeat(100_000))).toBe('too_large')
  })

  test('too many elements, attributes, or attributes on one element', async () => {
    const some = '<saml:AttributeValue>x</saml:AttributeValue>'
    expect(
      await verdict(
        genuine({ attributes: `<saml:Attribute Name="groups">${some.repeat(700)}</saml:Attribute>` }),
      ),
    ).toBe('accepted')
    expect(
      await verdict(
        genuine({ attributes: `<saml:Attribute Name="groups">${some.repeat(750)}</saml:Attribute>` }),
      ),
    ).toBe('too_many_nodes')
    const many = Array.from({ length: 101 }, (_, index) => ` a${index}="x"`).join('')
    expect(await verdict(`<a${many}/>`)).toBe('too_many_nodes')
    const fewer = Array.from({ length: 90 }, (_, index) => ` a${index}="x"`).join('')
    expect(await verdict(`<a>${`<a${fewer}/>`.repeat(40)}</a>`)).toBe('too_many_nodes')
    const spaces = Array.from({ length: 90 }, (_, index) => ` xmlns:n${index}="x"`).join('')
    expect(await verdict(`<a>${`<a${spaces}/>`.repeat(40)}</a>`)).toBe('too_many_nodes')
  })
})

describe('T-54 no document type, whatever is in it', () => {
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`,
  ).join('')
  test.each([
    ['plain', '<!DOCTYPE samlp:Response>'],
    ['in small letters', '<!doctype html>'],
    ['an entity', '<!DOCTYPE x [<!ENTITY who "owner@example.com">]>'],
    ['an external entity', '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>'],
    ['an external document type', '<!DOCTYPE x SYSTEM "https://evil.example.com/x.dtd">'],
    ['a parameter entity', '<!DOCTYPE x [<!ENTITY % p SYSTEM "https://evil.example.com/x"> %p;]>'],
    ['an id declared', '<!DOCTYPE x [<!ATTLIST x Name ID #IMPLIED>]>'],
    ['a billion laughs', `<!DOCTYPE x [<!ENTITY lol0 "lol">${laughs}]>`],
  ])('%s', async (_, doctype) => {
    expect(await verdict(behind(''))).toBe('accepted')
    expect(await verdict(behind(doctype))).toBe('doctype')
    expect(await verdict(behind(`<?xml version="1.0"?>${doctype}`))).toBe('doctype')
  })

  test('an entity without a document type', async () => {
    // The five of XML itself, and signs by their number, are text: canonical form writes them out.
    expect(await verdict(genuine().replace('>ada@', '>&#97;d&#x61;@'))).toBe('accepted')
    for (const text of [
      '&lol;',
      '&lol',
      '&',
      '&#0;',
      '&#xd800;',
      '&#x110000;',
      '&#8;',
      '&#xfffe;',
      '&#;',
      '&AMP;',
    ]) {
      expect(await verdict(responseXml({ nameId: `<saml:NameID>${text}</saml:NameID>` })), text).toBe(
        'bad_xml',
      )
    }
  })
})
