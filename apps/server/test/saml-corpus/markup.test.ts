import { describe, expect, test } from 'vitest'
import { parseXml } from '../../src/integrations/saml/xml.ts'
import { base64, genuine, verdict, verdictOf } from './idp.ts'

/** A genuine, signed message in which something was put in front of the root. */
const behind = (prologue: string) => prologue + genuine()

describe('T-50 markup that hides or divides', () => {
  test.each([
    ['a comment in front', '<!-- x -->'],
    ['an instruction in front', '<?php x ?>'],
    ['a style sheet', '<?xml-stylesheet href="https://evil.example.com/x.xsl"?>'],
    ['CDATA in front', '<![CDATA[x]]>'],
    ['an element declaration', '<!ELEMENT x ANY>'],
  ])('%s', async (_, prologue) => {
    expect(await verdict(behind(''))).toBe('accepted')
    expect(await verdict(behind(prologue))).toBe('markup_refused')
  })

  test.each(['<!---->', '<?x?>', '<![CDATA[]]>', '<!x>'])('%s anywhere within', async markup => {
    const control = genuine()
    expect(await verdict(control)).toBe('accepted')
    const places = [...control.matchAll(/<(?!\/)/g)].slice(1)
    const verdicts = await Promise.all(
      places.map(({ index }) => verdict(control.slice(0, index) + markup + control.slice(index))),
    )
    expect(new Set(verdicts)).toEqual(new Set(['markup_refused']))
  })

  test('behind the root', async () => {
    expect(await verdict(`${genuine()}\n`)).toBe('accepted')
    expect(await verdict(`${genuine()}<!-- x -->`)).toBe('markup_refused')
    expect(await verdict(`${genuine()}<x/>`)).toBe('bad_xml')
    expect(await verdict(`${genuine()}x`)).toBe('bad_xml')
  })

  test('xml:base and its kin', async () => {
    const control = genuine()
    expect(await verdict(control)).toBe('accepted')
    for (const attribute of ['xml:base="https://evil.example.com/"', 'xml:space="preserve"', 'xml:id="_x"']) {
      expect(await verdict(control.replace('<samlp:Status>', `<samlp:Status ${attribute}>`))).toBe(
        'foreign_attribute',
      )
    }
  })
})

describe('T-50 one alphabet', () => {
  const text = genuine()
  const wide = Buffer.from(text, 'utf16le')
  test.each([
    ['UTF-16 with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide])],
    ['UTF-16 without', wide],
    ['UTF-16, the other way round', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()])],
    ['a mark for UTF-8', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
    ['UTF-8 that breaks off', Buffer.concat([Buffer.from(text), Buffer.from([0xc3])])],
    [
      'an overlong letter',
      Buffer.from(Buffer.from(text).toString('latin1').replace('ada@', 'ada\xc1\x80'), 'latin1'),
    ],
    ['a letter of Latin-1', Buffer.from(text.replace('>ada@', '>ad\xe4@'), 'latin1')],
    ['a NUL', Buffer.from(text.replace('>ada@', '>ada\0@'))],
    ['a control character', Buffer.from(text.replace('>ada@', '>ada\x08@'))],
    ['a header that says UTF-16', Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${text}`)],
    ['a header that says UTF-7', Buffer.from(`<?xml version="1.0" encoding="UTF-7"?>${text}`)],
    ['a header that says Latin-1', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${text}`)],
  ])('%s', async (_, posted) => {
    expect(await verdictOf(base64(text))).toBe('accepted')
    expect(await verdictOf(base64(posted))).toBe('bad_encoding')
  })

  test('UTF-7, with its mark and without', async () => {
    expect(await verdict(text)).toBe('accepted')
    const utf7 = text.replaceAll('<', '+ADw-').replaceAll('>', '+AD4-')
    expect(await verdict(utf7)).toBe('bad_xml')
    expect(await verdict(`+/v8-${utf7}`)).toBe('bad_xml')
  })

  test('another version of XML, a second header, a space before it', async () => {
    expect(await verdict(`<?xml version="1.1"?>${text}`)).toBe('markup_refused')
    expect(await verdict(`<?xml version="1.0"?><?xml version="1.0"?>${text}`)).toBe('markup_refused')
    expect(await verdict(` <?xml version="1.0"?>${text}`)).toBe('markup_refused')
  })
})

describe('T-50 base64', () => {
  const good = base64(genuine())
  test.each([
    ['empty', ''],
    ['only spaces', '  \r\n'],
    ['signs of another alphabet', `*${good}`],
    ['the alphabet of URLs', `${good.slice(0, 40)}-_${good.slice(42)}`],
    ['text behind the end', `${good}=AAAA`],
    ['two in one', `${base64('<a/>')}=${good}`],
    ['one sign short', good.slice(0, -1)],
    ['a form that was never decoded', encodeURIComponent(`${good}+`)],
    ['a NUL', `${good.slice(0, 40)}\0${good.slice(40)}`],
  ])('%s', async (_, posted) => {
    expect(await verdictOf(good)).toBe('accepted')
    expect(await verdictOf(posted)).toBe('bad_base64')
  })

  test('XML that is not in base64 at all', async () => {
    expect(await verdictOf(genuine())).toBe('bad_base64')
  })
})

describe('T-50 malformed XML is refused', () => {
  test.each([
    '<a',
    '<a>',
    '</a>',
    '<a></b>',
    '<a></p:a>',
    '<a b/>',
    '<a b=c/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a b="1"c="2"/>',
    '<a><b></a></b>',
    '<p:a/>',
    '<a p:b="1"/>',
    '<a xmlns:p=""/>',
    '<a xmlns:xml="urn:x"/>',
    '<a xmlns:xmlns="urn:x"/>',
    '<a xmlns:xmlns="http://www.w3.org/2000/xmlns/"/>',
    '<a xmlns:xml=""/>',
    '<a xmlns:p="http://www.w3.org/XML/1998/namespace"/>',
    '<a xmlns="http://www.w3.org/XML/1998/namespace"/>',
    '<xmlns:a/>',
    '<a xmlns:p="urn:x" xmlns:q="urn:x" p:b="1" q:b="2"/>',
    '<a>]]></a>',
    '<1/>',
    '< a/>',
    '<a/ >',
    '<:a/>',
    '<a:/>',
    '<a:b:c/>',
    '<ä/>',
    '<a ä="1"/>',
    'text',
    '',
    '&amp;<a/>',
    '<a xmlns="http://www.w3.org/2000/xmlns/"/>',
  ])('%s', source => {
    expect(() => parseXml(source, 'message')).toThrow('saml: bad_xml')
  })

  test('the prefix xml may be declared, to the namespace that it has anyway', () => {
    const source = '<a xmlns:xml="http://www.w3.org/XML/1998/namespace" xml:lang="en"/>'
    const XML = 'http://www.w3.org/XML/1998/namespace'
    expect(parseXml(source, 'message').attributes).toEqual([{ name: 'lang', ns: XML, value: 'en' }])
  })

  test('well-formed XML is read exactly', () => {
    const source = `<a xmlns="urn:a" xmlns:p='urn:p'\n b = "1 &lt;&#x41;\n2" p:b='"'>x<p:c xmlns:p="urn:q"/>y&amp;<d xmlns=""/></a>`
    expect(parseXml(source, 'message')).toEqual({
      name: 'a',
      ns: 'urn:a',
      attributes: [
        { name: 'b', ns: '', value: '1 <A 2' },
        { name: 'b', ns: 'urn:p', value: '"' },
      ],
      text: 'xy&',
      children: [
        { name: 'c', ns: 'urn:q', attributes: [], children: [], text: '' },
        { name: 'd', ns: '', attributes: [], children: [], text: '' },
      ],
    })
  })
})
