import { describe, expect, test } from 'vitest'
import { withoutWeakAlgorithms } from './client.ts'
import { profileOf, profileOfGitHub } from './profile.ts'

const issuer = 'https://issuer.example'
const claims = { email: 'Mara@Northquay.Example', given_name: 'Mara', family_name: 'Okafor' }

describe('whether an address is verified [T-58]', () => {
  const literally = [true] as unknown[]
  test.each([
    ...[true, false, 'true', 'True', 'TRUE', ' true', 'false', 'yes', '1', ''],
    ...[1, null, undefined, {}, [true], ['true']],
  ])('email_verified: %j', email_verified => {
    const said = { ...claims, email_verified }
    expect(profileOf('google', issuer, 's', said).email_verified).toBe(literally.includes(email_verified))
    // Cognito, JumpCloud and Apple send text; the operator trusts this issuer.
    expect(profileOf('oidc', issuer, 's', said).email_verified).toBe(
      literally.includes(email_verified) || email_verified === 'true',
    )
    expect(profileOf('microsoft', issuer, 's', said).email_verified).toBe(false)
  })

  test.each([true, false, 'true', 1, '1', undefined])('xms_edov: %j counts for Microsoft only', xms_edov => {
    const said = { ...claims, xms_edov }
    expect(profileOf('microsoft', issuer, 's', said).email_verified).toBe(literally.includes(xms_edov))
    for (const provider of ['google', 'oidc'] as const)
      expect(profileOf(provider, issuer, 's', said).email_verified).toBe(false)
  })
})

test.each([
  [{ given_name: 'Mara', family_name: 'Okafor', name: 'Somebody Else' }, 'Mara', 'Okafor'],
  [{ name: 'Zoë  van der Berg' }, 'Zoë', 'van der Berg'],
  [{ name: 'van der Berg, Zoë' }, 'Zoë', 'van der Berg'],
  [{ name: 'Sammy Davis, Jr.' }, 'Sammy', 'Davis, Jr.'],
  [{ name: 'Kit' }, 'Kit', ''],
  [{ name: 7, given_name: ['x'], family_name: {} }, '', ''],
  [{ name: '\u202eevil\u0000\r\nBcc: x' }, 'evil', 'Bcc: x'],
  [{ name: '\u3164', given_name: '\u2800\u115f' }, '', ''],
  [{ name: '😀'.repeat(80) }, '😀'.repeat(50), ''],
])('the name in %j', (said, first_name, last_name) => {
  expect(profileOf('google', issuer, 's', said)).toMatchObject({ first_name, last_name })
})

describe('GitHub', () => {
  const user = { id: 7, name: 'Mara Okafor' }
  const address = (email: string, primary: unknown, verified: unknown) => ({ email, primary, verified })

  test.each<[string, unknown, string | null, boolean]>([
    [
      'the primary one, verified',
      [address('a@x.co', false, true), address('b@x.co', true, true)],
      'b@x.co',
      true,
    ],
    [
      'the primary one only',
      [address('a@x.co', false, true), address('b@x.co', true, false)],
      'b@x.co',
      false,
    ],
    ['literally true only', [address('b@x.co', true, 'true')], 'b@x.co', false],
    ['literally primary only', [address('b@x.co', 'true', true)], null, false],
    ['none', [], null, false],
    ['no list', { message: 'Not Found' }, null, false],
    ['nonsense', [null, 7, 'a@x.co', [true]], null, false],
  ])('addresses: %s', (_, emails, email, email_verified) => {
    expect(profileOfGitHub(issuer, user, emails)).toMatchObject({ subject: '7', email, email_verified })
  })

  test.each([0, -1, 1.5, '7', null, undefined, 2 ** 60])('the id %j is refused', id => {
    expect(() => profileOfGitHub(issuer, { ...user, id }, [])).toThrow()
  })
})

test.each([
  [['RS256', 'HS256', 'none'], ['RS256']],
  [
    ['none', 'ES256', 'EdDSA'],
    ['ES256', 'EdDSA', 'Ed25519'],
  ],
  [['Ed25519'], ['Ed25519', 'EdDSA']],
  [['HS512', 'none'], ['RS256']],
  ['RS256', ['RS256']],
  [undefined, ['RS256']],
])('V9.1.2 of the algorithms %j those by key pairs are believed: %j', (listed, believed) => {
  const document = { issuer, id_token_signing_alg_values_supported: listed }
  expect(withoutWeakAlgorithms(document)).toEqual({ issuer, id_token_signing_alg_values_supported: believed })
})
