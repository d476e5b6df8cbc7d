import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chanceIn, comparedSecrets, comparisonsIn, placesOfChance } from './secrets.ts'

/** Compared all the same, for it opens nothing: why. */
const harmless: Record<string, string> = {
  'request.token === attempt.card_token': 'both are what this caller sent, one of them a moment ago',
  'token === (await attempts.findLastCard(tx, account.id))': 'a card that is in use already, of this account',
  'newpassword === oldpassword': 'both are what this caller sent, and the old one is proven',
}

test('no secret is compared letter by letter [T-86]', () => {
  const found = comparedSecrets(join(import.meta.dirname, '..'))
  expect(found.filter(place => !harmless[place.slice(place.indexOf(' ') + 1)])).toEqual([])
})

test('the check reports comparisons of secrets, not of their names or kinds', () => {
  const found = (code: string) => comparisonsIn('x.ts', code).length
  expect(found('if (token === row.token) go()')).toBe(1)
  expect(found('if (row.key_hash !== hashOf(key)) go()')).toBe(1)
  expect(found('if (token === null || token === undefined || token_type === other) go()')).toBe(0)
  expect(found("if (password === '') go()")).toBe(0)
})

/** Bytes that no token is made of, or whose spread is measured in apps/server/test/secrets/randomness.test.ts. */
const sources = [
  'apps/server/src/lib/crypto.ts randomBytes',
  'apps/server/src/lib/ids.ts randomBytes',
  'apps/server/src/lib/api-key.ts randomBytes',
  'apps/server/src/data-folder.ts randomBytes',
  'apps/server/src/features/sign-in/passkeys/ceremony.ts randomBytes',
  'apps/server/src/features/sign-in/passkeys/service.ts randomBytes',
  'apps/server/src/features/sign-in/two-factor/service.ts randomBytes',
  'apps/server/src/features/sign-in/sso/domains.ts randomBytes',
  'apps/server/src/integrations/saml/request.ts randomBytes',
  'apps/server/src/integrations/saml/service-key.ts randomBytes',
  // Names, not secrets.
  'apps/server/src/app.ts randomUUID',
  'apps/server/src/integrations/storage/folder.ts randomUUID',
]

test('every secret comes from one source, or from one that is known here and measured [T-86]', () => {
  const found = placesOfChance(join(import.meta.dirname, '..')).filter(place => !place.endsWith(' newToken'))
  expect(found.sort()).toEqual(sources.sort())
})

test('the look-up finds what can be guessed', () => {
  expect(chanceIn('x.ts', 'const a = Math.random() + randomBytes(4).length')).toEqual([
    'x.ts Math.random',
    'x.ts randomBytes',
  ])
})
