import { describe, expect, test } from 'vitest'
import { base64, genuine, holds, post, responseSigned, signed, verdict } from './idp.ts'
import { assertionXml, attribute, evil, person, responseXml, status } from './message.ts'
import { refused } from './refused.ts'
import { forged, partsOf, wrappedElsewhere, wrapping } from './wrapping.ts'

describe('T-50 signature wrapping', () => {
  /** Signature wrapping attacks: the signature is valid, and a forged assertion is next to the signed one. */
  async function wrapped(control: string, attack: string) {
    expect([holds(control), holds(attack)]).toEqual([true, true])
    expect(attack).toContain(`>${evil}<`)
    await refused(control, attack, 'assertion_count')
  }

  const eight = Object.entries(wrapping).map(([number, { what, wrap }]) => ({
    number: Number(number),
    what,
    wrap,
  }))
  test.each(eight)('XSW$number: $what', async ({ number, wrap }) => {
    const control = number <= 2 ? responseSigned() : genuine()
    await wrapped(control, wrap(control))
  })

  test.each(wrappedElsewhere)('%s', async (_, part, wrap) => {
    const control = part === 'response' ? responseSigned() : genuine()
    await wrapped(control, wrap(control))
  })

  test('there are eight of them', () => {
    expect(eight.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('an assertion with the id of the signed one, before and behind it', async () => {
    const control = genuine()
    const { id } = partsOf(control)
    await refused(control, control.replace('<saml:Assertion ', `${forged(id)}<saml:Assertion `), 'bad_id')
    await refused(control, control.replace('</samlp:Response>', `${forged(id)}</samlp:Response>`), 'bad_id')
  })

  test('the genuine assertion hidden under another name, a forged one in its place', async () => {
    const control = genuine()
    const { assertion, signature } = partsOf(control)
    const hidden = assertion.replaceAll('saml:Assertion', 'saml:Advice')
    const fake = forged('_other').replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
    await refused(
      control,
      control.replace(assertion, fake.replace('</saml:Assertion>', `${hidden}</saml:Assertion>`)),
      'bad_id',
    )
  })

  test('no identifier, or one that is more than a name', async () => {
    for (const ID of [null, '', '-a', "a'or'1", 'a b', '#a', 'x'.repeat(201)]) {
      expect(await verdict(genuine({ response: { ID } })), `${ID}`).toBe('bad_id')
      expect(await verdict(responseXml({ assertion: { ID } })), `${ID}`).toBe('bad_id')
    }
  })

  test('an identifier may begin with a digit, which some providers send', async () => {
    expect(await verdict(genuine({ response: { ID: '1r' }, assertion: { ID: '2a' } }))).toBe('accepted')
    expect(await verdict(responseSigned({ response: { ID: '1r' }, assertion: { ID: '2a' } }))).toBe(
      'accepted',
    )
  })

  test('an identifier in another attribute, which some verifiers find too', async () => {
    const control = genuine()
    const { id } = partsOf(control)
    const evilWith = (attributes: string) => control.replace('<samlp:Status>', `<samlp:Status ${attributes}>`)
    await refused(control, evilWith(`Id="${id}"`), 'bad_id')
    await refused(control, evilWith(`id="${id}"`), 'bad_id')
    await refused(control, evilWith(`xml:id="${id}"`), 'foreign_attribute')
    await refused(control, evilWith(`xmlns:w="urn:w" w:Id="${id}"`), 'foreign_attribute')
  })

  test('names of ours in other namespaces', async () => {
    const control = genuine()
    const beside = (xml: string) => control.replace('</samlp:Response>', `${xml}</samlp:Response>`)
    await refused(control, beside('<x:Assertion xmlns:x="urn:x"/>'), 'foreign_element')
    await refused(control, beside('<samlp:Assertion/>'), 'foreign_element')
    await refused(control, beside('<x:Anything xmlns:x="urn:x"/>'), 'foreign_element')
    await refused(control, beside('<Anything/>'), 'foreign_element')
    await refused(control, beside('<saml:Signature/>'), 'foreign_element')
    await refused(
      control,
      beside('<Signature xmlns="http://www.w3.org/2000/09/xmldsig"/>'),
      'foreign_element',
    )
    const samlLike = 'urn:oasis:names:tc:SAML:2.0:assertion/'
    await refused(
      control,
      control.replace(/(<saml:Assertion xmlns:saml=")[^"]*/, `$1${samlLike}`),
      'foreign_element',
    )
  })
})

describe('T-50 one assertion, and in the clear', () => {
  test('two assertions, both signed by the provider', async () => {
    const control = responseSigned()
    await refused(control, signed(responseXml({ extra: assertionXml() }), 'Response'), 'assertion_count')
  })

  test('no assertion', async () => {
    await refused(responseSigned(), signed(responseXml({}, ''), 'Response'), 'assertion_count')
  })

  test('encrypted ones, alone, beside one in the clear, and within', async () => {
    const cipher = '<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"/>'
    const encrypted = `<saml:EncryptedAssertion>${cipher}</saml:EncryptedAssertion>`
    const control = responseSigned()
    await refused(control, signed(responseXml({}, encrypted), 'Response'), 'encrypted')
    await refused(control, signed(responseXml({ extra: encrypted }), 'Response'), 'encrypted')
    await refused(
      genuine(),
      genuine().replace('</samlp:Response>', `${encrypted}</samlp:Response>`),
      'encrypted',
    )
    await refused(
      control,
      responseSigned({ nameId: `<saml:EncryptedID>${cipher}</saml:EncryptedID>` }),
      'encrypted',
    )
    await refused(
      control,
      responseSigned({ attributes: `${attribute('email', person)}<saml:EncryptedAttribute/>` }),
      'encrypted',
    )
  })

  test('two roots, a root of another kind', async () => {
    const control = genuine()
    await refused(control, control + responseXml(), 'bad_xml')
    await refused(control, responseXml() + control, 'bad_xml')
    await refused(
      control,
      `<samlp:Wrap xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${control}</samlp:Wrap>`,
      'not_a_response',
    )
    await refused(control, partsOf(control).assertion, 'not_a_response')
    await refused(control, control.replaceAll('samlp:Response', 'samlp:LogoutResponse'), 'not_a_response')
    await refused(
      control,
      control.replace('<samlp:Status>', '<samlp:Response/><samlp:Status>'),
      'not_a_response',
    )
  })

  test('a failure, signed or not', async () => {
    const denied = '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/>'
    for (const make of [genuine, responseSigned]) {
      await refused(make(), make({ status: status('Responder', denied) }), 'status')
      await refused(make(), make({ status: '' }), 'status')
      await refused(make(), make({ status: status('Success') + status('Responder') }), 'status')
      await refused(make(), make({ status: '<samlp:Status/>' }), 'status')
    }
    expect(await verdict(responseXml({ status: status('Requester') }, ''))).toBe('status')
    await expect(
      post(base64(responseXml({ status: status('Responder', denied) }, ''))),
    ).rejects.toMatchObject({
      found: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
    })
  })
})
