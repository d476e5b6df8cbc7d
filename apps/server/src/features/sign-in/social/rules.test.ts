import { describe, expect, test } from 'vitest'
import { decideSignIn, type SocialFacts, whyNotConnect } from './rules.ts'

const nobody: SocialFacts = {
  identity: null,
  email: 'mara@northquay.studio',
  email_verified: true,
  proven: null,
}
const mara = { id: 'mara', provider_connected: false, disconnected: false }
const known = { user_id: 'known' }

describe('which user a sign-in opens [T-38] [T-58]', () => {
  test.each<[string, Partial<SocialFacts>, ReturnType<typeof decideSignIn>]>([
    ['a known identity is its user', { identity: known }, { as: 'known', user_id: 'known' }],
    [
      '… also with another address',
      { identity: known, email: 'new@x.example' },
      { as: 'known', user_id: 'known' },
    ],
    [
      '… also with somebody else’s address',
      { identity: known, proven: mara },
      { as: 'known', user_id: 'known' },
    ],
    ['… also without an address', { identity: known, email: null }, { as: 'known', user_id: 'known' }],
    ['… also unverified', { identity: known, email_verified: false }, { as: 'known', user_id: 'known' }],
    ['nobody has the address: somebody new', {}, { as: 'new' }],
    ['both know it as proven: the same person', { proven: mara }, { as: 'linked', user_id: 'mara' }],
    ['no address', { email: null }, { refused: 'social_email_missing' }],
    [
      'no address, and said to be verified',
      { email: null, email_verified: true },
      { refused: 'social_email_missing' },
    ],
    ['not verified there', { email_verified: false }, { refused: 'social_email_unverified' }],
    [
      'not verified there, proven here',
      { email_verified: false, proven: mara },
      { refused: 'social_email_unverified' },
    ],
    [
      'the address has changed hands at the provider',
      { proven: { ...mara, provider_connected: true } },
      { refused: 'social_connect_first' },
    ],
    [
      'the user has disconnected this very identity',
      { proven: { ...mara, disconnected: true } },
      { refused: 'social_connect_first' },
    ],
  ])('%s', (_, seen, entry) => expect(decideSignIn({ ...nobody, ...seen })).toEqual(entry))
})

test.each<[string, Parameters<typeof whyNotConnect>, ReturnType<typeof whyNotConnect>]>([
  ['free', [mara, null, false], null],
  ['somebody else’s', [mara, known, false], 'identity_taken'],
  ['somebody else’s, and another one is connected', [mara, known, true], 'identity_taken'],
  ['their own already', [mara, { user_id: 'mara' }, true], 'provider_connected'],
  ['another one of the provider is connected', [mara, null, true], 'provider_connected'],
])('connecting an identity that is %s', (_, given, code) => expect(whyNotConnect(...given)).toBe(code))
