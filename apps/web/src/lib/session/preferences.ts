import { setLanguage } from '../i18n/language.ts'
import { forgetDark, setDark } from '../theme.ts'

type Preferences = { locale?: string; dark_mode?: boolean; dark_mode_chosen?: boolean }

/** Applies the user's language and theme. The system's theme applies until the user chooses one. */
export async function applyPreferences(user: Preferences): Promise<void> {
  if (user.dark_mode_chosen === false) forgetDark()
  else if (user.dark_mode !== undefined) setDark(user.dark_mode)
  if (user.locale !== undefined) await setLanguage(user.locale, { remember: true })
}
