import { api } from '../api/client.ts'
import { handleFailure } from '../api/failure.ts'
import { setLanguage } from '../i18n/language.ts'
import { setDark } from '../theme.ts'
import { mergeSession, session } from './store.ts'

/** Language and dark mode are the user's, on every device. */
export async function applyPreferences(user: { locale?: string; dark_mode?: boolean }): Promise<void> {
  if (user.dark_mode !== undefined) setDark(user.dark_mode)
  if (user.locale !== undefined) await setLanguage(user.locale, { remember: true })
}

/** Dark mode flips at once and is saved behind; a failure flips it back. */
export async function saveDark(on: boolean): Promise<void> {
  apply(on)
  try {
    await api.profile.update({ body: { dark_mode: on } })
  } catch (error) {
    if (session.get()) apply(!on)
    handleFailure(error)
  }
}

function apply(on: boolean): void {
  setDark(on)
  mergeSession({ dark_mode: on })
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
