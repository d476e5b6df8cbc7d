import { setLanguage } from '../i18n/language.ts'
import { forgetDark, setDark } from '../theme.ts'

type Preferences = { locale?: string; dark_mode?: boolean; dark_mode_chosen?: boolean }

/** Language and dark mode are the user's, on every device; until they choose, the system's style stays. */
export async function applyPreferences(user: Preferences): Promise<void> {
  if (user.dark_mode_chosen === false) forgetDark()
  else if (user.dark_mode !== undefined) setDark(user.dark_mode)
  if (user.locale !== undefined) await setLanguage(user.locale, { remember: true })
}
