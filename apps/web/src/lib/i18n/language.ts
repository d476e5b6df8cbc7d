import { device } from '../storage.ts'
import { createStore } from '../store.ts'
import { loadTexts } from './texts.ts'

/** The available languages with their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

export const language = createStore<Language>('en')

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/

export function isLanguage(value: string | undefined): value is Language {
  return value !== undefined && Object.hasOwn(languages, value)
}

/**
 * The first preferred language that is available: `pt-BR` matches `pt-BR`, then `pt`. English if none
 * matches.
 */
export function pickLanguage(wanted: readonly (string | null | undefined)[]): Language {
  for (const tag of wanted) {
    if (!tag) continue
    if (isLanguage(tag)) return tag
    const base = tag.split('-')[0]?.toLowerCase()
    if (isLanguage(base)) return base
  }
  return 'en'
}

/** Before the first paint: the user's language, the one chosen in this browser, or the browser's own. */
export function startingLanguage(stored: string | undefined): Language {
  return pickLanguage([stored, device.read('locale'), ...navigator.languages])
}

/** Sets the language at start-up, before any text is loaded. */
export function startLanguage(first: Language): void {
  language.set(first)
  document.documentElement.lang = first
  document.documentElement.dir = RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/** Loads the texts of a language, then switches to it. `remember` stores the choice in this browser. */
export async function setLanguage(wanted: string, options: { remember?: boolean } = {}): Promise<void> {
  const next = pickLanguage([wanted])
  await loadTexts(next)
  startLanguage(next)
  if (options.remember) device.write('locale', next)
}
