import { describe, expect, test } from 'vitest'
import { base64, genuine, post, verdict } from './idp.ts'
import { attribute, nameId, person, subjectXml } from './message.ts'
import { refusedHoweverSigned } from './refused.ts'

describe('T-50 whose', () => {
  const method = (name: string) => ({ Method: `urn:oasis:names:tc:SAML:2.0:cm:${name}` })
  const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
  const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
  const confirmation =
    /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/.exec(subjectXml({}))?.[0] ?? ''
  const elsewhere = confirmation.replace(/Recipient="[^"]*"/, 'Recipient="https://other.example.com/"')
  const holder = confirmation.replace('cm:bearer', 'cm:holder-of-key')
  const stale = confirmation.replace('_request1', '_request2')
  const withBoth = (first: string, second: string) => subjectXml({}).replace(confirmation, first + second)
  const data = /<saml:SubjectConfirmationData [^>]*>/.exec(subjectXml({}))?.[0] ?? ''
  refusedHoweverSigned([
    ['the holder of a key', { confirmation: method('holder-of-key') }, 'confirmation'],
    ['whoever vouches', { confirmation: method('sender-vouches') }, 'confirmation'],
    ['no method', { confirmation: { Method: null } }, 'confirmation'],
    ['no confirmation', { subject: `<saml:Subject>${nameId(person)}</saml:Subject>` }, 'confirmation'],
    ['no confirmation data', { confirmationContent: '' }, 'confirmation'],
    [
      'someone else beside the confirmation',
      { confirmationContent: `${nameId('b@example.com')}${data}` },
      'confirmation',
    ],
    [
      'something within the confirmation data',
      {
        confirmationContent: data.replace('/>', '><saml:Attribute Name="x"/></saml:SubjectConfirmationData>'),
      },
      'confirmation',
      { confirmationContent: data },
    ],
    ['two confirmations, both for others', { subject: withBoth(elsewhere, elsewhere) }, 'recipient'],
    ['another’s method beside another’s request', { subject: withBoth(holder, stale) }, 'confirmation'],
    ['no subject', { subject: '' }, 'subject'],
    ['two subjects', { subject: subjectXml({}) + subjectXml({}) }, 'subject'],
    [
      'something else in the subject',
      { subject: subjectXml({}).replace('</saml:Subject>', '<saml:BaseID/></saml:Subject>') },
      'subject',
    ],
    ['no name', { nameId: '' }, 'name_id'],
    ['an empty name', { nameId: nameId('') }, 'name_id'],
    ['two names', { nameId: nameId(person) + nameId('b@example.com') }, 'name_id'],
    ['an element within the name', { nameId: nameId(`${person}<saml:Attribute/>.evil.com`) }, 'name_id'],
    ['a name with a space behind', { nameId: nameId(`${person} `) }, 'name_id'],
    ['a name with a line end', { nameId: nameId(`${person}&#10;`) }, 'name_id'],
    ['a name with an invisible character', { nameId: nameId('ada\u200b@example.com') }, 'name_id'],
    ['a name that reads backwards', { nameId: nameId('\u202eada') }, 'name_id'],
    [
      'a name of 257 characters',
      { nameId: nameId('x'.repeat(257), persistent) },
      'name_id',
      { nameId: nameId('x'.repeat(256), persistent) },
    ],
    [
      'a name for this time only',
      { nameId: nameId('x', transient) },
      'transient_name_id',
      { nameId: nameId('x', persistent) },
    ],
  ])

  test('of several confirmations one that holds is enough', async () => {
    for (const other of [elsewhere, holder, stale, confirmation]) {
      expect(await verdict(genuine({ subject: withBoth(other, confirmation) }))).toBe('accepted')
      expect(await verdict(genuine({ subject: withBoth(confirmation, other) }))).toBe('accepted')
    }
  })

  test('V1.2.7 quotes and markup in a name, an attribute or an index are text', async () => {
    const odd = `o'neil"]|//*[@x='`
    const escaped = odd.replaceAll('"', '&quot;')
    const xml = genuine({
      nameId: nameId(escaped, persistent),
      attributes: attribute('sn', `&lt;b&gt;${escaped}`),
      authn: { SessionIndex: escaped },
    })
    const identity = await post(base64(xml))
    expect(identity).toMatchObject({ nameId: odd, sessionIndex: odd, attributes: { last_name: `<b>${odd}` } })
  })
})
