import { api } from '../api/client.ts'
import { handleFailure } from '../api/failure.ts'
import { setLanguage } from '../i18n/language.ts'
import { setDark } from '../theme.ts'
import { applyPreferences } from './preferences.ts'
import { mergeSession, session } from './store.ts'

/** Dark mode flips at once and is saved behind; a failure flips it back. */
export async function saveDark(on: boolean): Promise<void> {
  const before = session.get()
  setDark(on)
  mergeSession({ dark_mode: on, dark_mode_chosen: true })
  try {
    await api.profile.update({ body: { dark_mode: on } })
  } catch (error) {
    if (session.get()) {
      const back = { dark_mode: !on, dark_mode_chosen: before?.dark_mode_chosen ?? true }
      mergeSession(back)
      await applyPreferences(back)
    }
    handleFailure(error)
  }
}

/** The language changes once its texts are there, and is saved behind; a failure changes it back. */
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
