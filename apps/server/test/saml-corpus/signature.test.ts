import { describe, expect, test } from 'vitest'
import { makeServiceKey, verifyResponse } from '../../src/integrations/saml/saml.ts'
import {
  base64,
  bothSigned,
  foreignKey,
  genuine,
  idpKey,
  resigned,
  responseSigned,
  signed,
  verdict,
} from './idp.ts'
import { evil, idpEntityId, NOW, nameId, person, requestId, responseXml, service } from './message.ts'
import { refused } from './refused.ts'
import { partsOf } from './wrapping.ts'

describe('T-50 the signature itself', () => {
  test('none, stripped, empty', async () => {
    const control = genuine()
    const { signature } = partsOf(control)
    await refused(control, responseXml(), 'unsigned')
    await refused(control, control.replace(signature, ''), 'unsigned')
    await refused(
      control,
      control.replace(signature, '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>'),
      'signature_shape',
    )
    await refused(control, control.replace(/(<ds:SignatureValue>)[^<]*/, '$1'), 'signature_shape')
    await refused(control, control.replace(/(<ds:DigestValue>)[^<]*/, '$1'), 'signature_shape')
    await refused(
      control,
      control.replace(/<ds:SignatureValue>[^<]*<\/ds:SignatureValue>/, ''),
      'signature_shape',
    )
  })

  test('one changed character, in each signed place', async () => {
    for (const control of [genuine(), responseSigned(), bothSigned()]) {
      await refused(control, control.replace(`>${person}<`, `>${evil}<`), 'signature')
      await refused(control, control.replace('_session1', '_session2'), 'signature')
    }
    const response = responseSigned()
    await refused(
      response,
      response.replace('<samlp:Response ', '<samlp:Response Consent="urn:x" '),
      'signature',
    )
  })

  test('a foreign key, also one that comes along', async () => {
    const control = genuine()
    await refused(control, genuine({}, { key: { privateKey: foreignKey.privateKey } }), 'signature')
    await refused(control, genuine({}, { key: foreignKey }), 'signature')
    const claimed = { privateKey: foreignKey.privateKey, certificate: idpKey.certificate }
    await refused(control, genuine({}, { key: claimed }), 'signature')
    await refused(bothSigned(), signed(genuine(), 'Response', { key: foreignKey }), 'signature')
    await refused(bothSigned(), signed(genuine({}, { key: foreignKey }), 'Response'), 'signature')
  })

  test('HMAC with the public key as the secret', async () => {
    const options = { hmac: true, algorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' }
    for (const privateKey of [idpKey.certificate, partsOf(genuine()).signature]) {
      await refused(genuine(), genuine({}, { ...options, key: { privateKey } }), 'algorithm')
    }
    const renamed = genuine().replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256')
    await refused(genuine(), renamed, 'algorithm')
  })

  test('SHA-1, in the signature or in the digest, and any algorithm that is not on the list', async () => {
    const sha1 = { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }
    const digest = { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }
    const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
    const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
    const withComments = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
    for (const make of [genuine, responseSigned]) {
      await refused(make(), make({}, sha1), 'algorithm')
      await refused(make(), make({}, digest), 'algorithm')
      await refused(make(), make({}, { canonicalization: withComments }), 'algorithm')
      await refused(make(), make({}, { canonicalization: inclusive }), 'algorithm')
      await refused(make(), make({}, { transforms: [enveloped, inclusive] }), 'algorithm')
      await refused(make(), make({}, { transforms: [enveloped, withComments] }), 'algorithm')
    }
    await refused(bothSigned(), signed(genuine({}, sha1), 'Response'), 'algorithm')
  })

  test('transforms: one too few, one too many, in another order, another one', async () => {
    const control = genuine()
    const transform = (name: string) => `<ds:Transform Algorithm="${name}"/>`
    const edited = (edit: (xml: string) => string) =>
      resigned(control.replace(/<ds:Transforms>.*<\/ds:Transforms>/, edit))
    const enveloped = transform('http://www.w3.org/2000/09/xmldsig#enveloped-signature')
    const exclusive = transform('http://www.w3.org/2001/10/xml-exc-c14n#')
    const xslt = transform('http://www.w3.org/TR/1999/REC-xslt-19991116')
    const xpathFilter = transform('http://www.w3.org/TR/1999/REC-xpath-19991116')
    const within = (content: string) => () => `<ds:Transforms>${content}</ds:Transforms>`
    expect(await verdict(edited(within(enveloped + exclusive)))).toBe('accepted')
    await refused(control, await edited(within(enveloped)), 'signature_shape')
    await refused(control, await edited(within(exclusive)), 'algorithm')
    await refused(control, await edited(within(exclusive + enveloped)), 'algorithm')
    await refused(control, await edited(within(enveloped + exclusive + exclusive)), 'signature_shape')
    await refused(control, await edited(within(enveloped + xslt)), 'algorithm')
    await refused(control, await edited(within(xpathFilter + exclusive)), 'algorithm')
  })

  test('a transform or method may contain one list of prefixes and nothing else', async () => {
    const control = genuine()
    const list = (prefixes: string) =>
      `<InclusiveNamespaces xmlns="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="${prefixes}"/>`
    const carrying = (name: string, content: string) =>
      resigned(
        control.replace(
          new RegExp(`<ds:${name}( Algorithm="[^"]*(?:exc-c14n#|rsa-sha256|xmlenc#sha256)")\\s*/>`),
          `<ds:${name}$1>${content}</ds:${name}>`,
        ),
      )
    const enveloped = control.replace(
      /<ds:Transform( Algorithm="[^"]*enveloped-signature")\s*\/>/,
      `<ds:Transform$1>${list('xs')}</ds:Transform>`,
    )
    expect(await verdict(carrying('Transform', list('xs #default')))).toBe('accepted')
    expect(await verdict(carrying('CanonicalizationMethod', list('xs')))).toBe('accepted')
    await refused(control, await resigned(enveloped), 'signature_shape')
    for (const content of [
      list('xs') + list('xs'),
      list('x'.repeat(51)),
      list('a '.repeat(21).trim()),
      list('a  b'),
    ]) {
      await refused(control, await carrying('Transform', content), 'signature_shape')
      await refused(control, await carrying('CanonicalizationMethod', content), 'signature_shape')
    }
    for (const content of [
      'text',
      '<ds:XPath>1</ds:XPath>',
      '<ds:HMACOutputLength>1</ds:HMACOutputLength>',
    ]) {
      for (const name of ['Transform', 'CanonicalizationMethod', 'SignatureMethod', 'DigestMethod']) {
        await refused(control, await carrying(name, content), 'signature_shape')
      }
    }
  })

  test('two signatures, two SignedInfo, two references, two values, two digests', async () => {
    const control = genuine()
    const { signature } = partsOf(control)
    for (const name of [
      'Signature',
      'SignedInfo',
      'Reference',
      'SignatureValue',
      'DigestValue',
      'DigestMethod',
      'Transforms',
      'SignatureMethod',
    ]) {
      const pattern = new RegExp(`<ds:${name}[ >].*</ds:${name}>|<ds:${name} [^>]*/>`)
      const [part = ''] = pattern.exec(signature) ?? []
      expect(part, name).not.toBe('')
      await refused(control, control.replace(part, part + part), 'signature_shape')
      await refused(control, control.replace(part, ''), name === 'Signature' ? 'unsigned' : 'signature_shape')
    }
  })

  test('a reference to something else, to everything, or to nothing', async () => {
    const control = genuine()
    for (const uri of [
      '',
      '#_other',
      '#',
      '#xpointer(/)',
      'https://evil.example.com/a.xml',
      `#_a' or '1'='1`,
    ]) {
      const attack = control.replace(/Reference URI="[^"]*"/, `Reference URI="${uri}"`)
      await refused(control, attack, 'signature_shape')
    }
    const over = signed(responseXml(), 'Response')
    const moved = over
      .replace(/<ds:Signature .*<\/ds:Signature>/s, '')
      .replace(/(<saml:Assertion .*?<\/saml:Issuer>)/s, `$1${partsOf(over).signature}`)
    await refused(over, moved, 'signature_shape')
  })

  test('a signature at another place', async () => {
    const control = genuine()
    const { signature } = partsOf(control)
    const bare = control.replace(signature, '')
    await refused(
      control,
      bare.replace('</saml:Assertion>', `${signature}</saml:Assertion>`),
      'signature_shape',
    )
    await refused(control, bare.replace('<saml:Issuer>', `${signature}<saml:Issuer>`), 'signature_shape')
    await refused(control, bare.replace('<saml:Subject>', `<saml:Subject>${signature}`), 'signature_shape')
    await refused(control, bare.replace('</samlp:Status>', `</samlp:Status>${signature}`), 'signature_shape')
  })

  test('something else within it: objects, foreign keys material, text between', async () => {
    const control = genuine()
    const add = (before: string, xml: string) => control.replace(before, xml + before)
    await refused(control, add('</ds:Signature>', '<ds:Object>x</ds:Object>'), 'signature_shape')
    await refused(
      control,
      add('</ds:KeyInfo>', '<ds:RetrievalMethod URI="https://evil.example.com/"/>'),
      'signature_shape',
    )
    await refused(control, add('</ds:KeyInfo>', '<ds:SignatureMethod Algorithm="x"/>'), 'signature_shape')
    await refused(control, add('</ds:SignedInfo>', 'text'), 'signature_shape')
    await refused(control, add('</ds:DigestValue>', '<ds:Object/>'), 'signature_shape')
  })

  test('comments in the digest and in the name', async () => {
    const control = genuine()
    await refused(control, control.replace(/(<ds:DigestValue>)/, '$1<!--x-->'), 'markup_refused')
    await refused(control, control.replace(`>${person}<`, `>${person}<!---->.evil.com<`), 'markup_refused')
    await refused(control, genuine({ nameId: nameId(`${person}<!---->.evil.com`) }), 'markup_refused')
  })
})

test('T-50 a connection with a key too weak verifies nothing', async () => {
  const weak = await makeServiceKey({ name: 'weak', now: NOW, bits: 1024 })
  const attempt = verifyResponse({
    samlResponse: base64(genuine({}, { key: weak })),
    idp: { entityId: idpEntityId, certificates: [weak.certificate] },
    service,
    requestId,
    now: NOW,
    consume: async () => true,
  })
  await expect(attempt).rejects.toMatchObject({ code: 'weak_key' })
})
