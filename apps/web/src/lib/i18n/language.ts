import { device } from '../storage.ts'
import { createStore } from '../store.ts'
import { loadTexts } from './texts.ts'

/** The languages there are, each in its own name; the first is the fallback. */
export const languages = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof languages

export const language = createStore<Language>('en')

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/

export function isLanguage(value: string | undefined): value is Language {
  return value !== undefined && Object.hasOwn(languages, value)
}

/** The first of the wanted languages that there is: `pt-BR` is met by `pt-BR`, then by `pt`. */
export function pickLanguage(wanted: readonly (string | null | undefined)[]): Language {
  for (const tag of wanted) {
    if (!tag) continue
    if (isLanguage(tag)) return tag
    const base = tag.split('-')[0]?.toLowerCase()
    if (isLanguage(base)) return base
  }
  return 'en'
}

/** Before the first paint: the stored user's language, the one chosen in this browser, or the browser's own. */
export function startingLanguage(stored: string | undefined): Language {
  return pickLanguage([stored, device.read('locale'), ...navigator.languages])
}

/** At the very start, when nothing is shown yet: the texts come with the first screen. */
export function startLanguage(first: Language): void {
  language.set(first)
  document.documentElement.lang = first
  document.documentElement.dir = RIGHT_TO_LEFT.test(first) ? 'rtl' : 'ltr'
}

/** Loads the language's texts, then shows it everywhere. `remember` keeps it for the next first paint. */
export async function setLanguage(wanted: string, options: { remember?: boolean } = {}): Promise<void> {
  const next = pickLanguage([wanted])
  await loadTexts(next)
  startLanguage(next)
  if (options.remember) device.write('locale', next)
}
