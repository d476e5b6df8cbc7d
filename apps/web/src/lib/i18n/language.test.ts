import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser } from '../../../test/app.tsx'
import { language, pickLanguage, setLanguage, startingLanguage, startLanguage } from './language.ts'
import { hasTexts, textOf, wantTexts } from './texts.ts'
import { t } from './translate.ts'

beforeEach(freshBrowser)

test.each([
  [['de-AT', 'en'], 'de'],
  [['pt', 'de'], 'de'],
  [['ja'], 'en'],
  [[undefined, null, ''], 'en'],
  [['constructor'], 'en'],
])('[i18n:fallback] of %j, %s is chosen', (wanted, chosen) => {
  expect(pickLanguage(wanted)).toBe(chosen)
})

test('[i18n:locale] the stored user’s language comes before the browser’s', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de-DE'])
  expect(startingLanguage('en')).toBe('en')
  expect(startingLanguage(undefined)).toBe('de')
})

test('[i18n:lazy] loads no English texts for a German user', async () => {
  startLanguage('de')
  await wantTexts('de', ['global', 'auth'])
  expect(hasTexts('de', ['global', 'auth'])).toBe(true)
  expect(textOf('en', 'auth.email')).toBeUndefined()
  expect(t('auth.email')).toBe('E-Mail-Adresse')
})

test('[i18n:document] sets lang and dir of the document and stores the choice', async () => {
  await setLanguage('de', { remember: true })
  expect(document.documentElement).toHaveAttribute('lang', 'de')
  expect(document.documentElement).toHaveAttribute('dir', 'ltr')
  expect(localStorage.getItem('plinth.locale')).toBe('de')
  expect(language.get()).toBe('de')
})

test('[i18n:plural] chooses the plural form and formats numbers in the language', async () => {
  await setLanguage('en')
  expect(t('global.form.file.error.max', { count: 1 })).toBe('Please upload a maximum of 1 file')
  expect(t('global.form.file.error.max', { count: 2 })).toBe('Please upload a maximum of 2 files')
  await setLanguage('de')
  expect(t('global.form.error.min', { min: 1234.5 })).toBe('Geben Sie mindestens 1.234,5 ein')
})

test('does not replace placeholders inside a filled-in value', async () => {
  await setLanguage('en')
  expect(t('global.form.error.required', { label: '{{label}}' })).toBe('{{label}} is required')
})
