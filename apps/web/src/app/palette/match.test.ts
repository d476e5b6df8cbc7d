import { expect, test } from 'vitest'
import { matching } from './match.ts'

const entries = [
  { label: 'Einladen', detail: undefined },
  { label: 'API-Schlüssel' },
  { label: 'Abrechnung', detail: 'Rechnungen', also: 'Tarif Straße' },
  { label: 'Zwei-Faktor', also: '2FA' },
]
const found = (query: string, language = 'de') => matching(entries, query, language).map(({ label }) => label)

test.each([
  ['', ['Einladen', 'API-Schlüssel', 'Abrechnung', 'Zwei-Faktor']],
  ['ein', ['Einladen']],
  ['SCHLUSS', ['API-Schlüssel']],
  ['schlüssel api', ['API-Schlüssel']],
  ['fak', ['Zwei-Faktor']],
  ['lüssel', ['API-Schlüssel']],
  ['2fa', ['Zwei-Faktor']],
  ['strasse', ['Abrechnung']],
  ['  rechnungen,  abr ', ['Abrechnung']],
  ['ein abr', []],
  ['/', ['Einladen', 'API-Schlüssel', 'Abrechnung', 'Zwei-Faktor']],
])('“%s” finds %j', (query, labels) => {
  expect(found(query)).toEqual(labels)
})

test('ranks word starts before matches inside words, and both before synonyms', () => {
  const ranked = [
    { label: 'A', also: 'user' },
    { label: 'Superuser' },
    { label: 'Users' },
    { label: 'Your users' },
  ]
  expect(matching(ranked, 'user', 'en').map(({ label }) => label)).toEqual([
    'Users',
    'Your users',
    'Superuser',
    'A',
  ])
})

test('ignores accents in every script', () => {
  expect(matching([{ label: 'İptal' }], 'iptal', 'tr')).toHaveLength(1)
  expect(matching([{ label: 'مُدُن' }], 'مدن', 'ar')).toHaveLength(1)
  expect(matching([{ label: 'Éclair' }], 'écl', 'fr')).toHaveLength(1)
})
