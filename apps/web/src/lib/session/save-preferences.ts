import { api } from '../api/client.ts'
import { handleFailure } from '../api/failure.ts'
import { setLanguage } from '../i18n/language.ts'
import { setDark } from '../theme.ts'
import { applyPreferences } from './preferences.ts'
import { mergeSession, session } from './store.ts'

/** Switches the theme at once and saves it; switches back if saving fails. */
export async function saveDark(on: boolean): Promise<void> {
  const before = session.get()
  setDark(on)
  mergeSession({ dark_mode: on, dark_mode_chosen: true })
  try {
    await api.profile.update({ body: { dark_mode: on } })
  } catch (error) {
    if (session.get()) {
      const previous = { dark_mode: !on, dark_mode_chosen: before?.dark_mode_chosen ?? true }
      mergeSession(previous)
      await applyPreferences(previous)
    }
    handleFailure(error)
  }
}

/** Switches the language once its texts are loaded and saves it; switches back if saving fails. */
export async function saveLanguage(next: 'en' | 'de'): Promise<void> {
  const before = session.get()?.locale ?? 'en'
  await setLanguage(next, { remember: true })
  mergeSession({ locale: next })
  try {
    await api.profile.update({ body: { locale: next } })
  } catch (error) {
    if (session.get()) {
      await setLanguage(before, { remember: true })
      mergeSession({ locale: before })
    }
    handleFailure(error)
  }
}
