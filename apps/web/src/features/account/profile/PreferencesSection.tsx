import { useId } from 'react'
import { isLanguage, language, languages } from '../../../lib/i18n/language.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { saveDark, saveLanguage } from '../../../lib/session/save-preferences.ts'
import { useStore } from '../../../lib/store.ts'
import { dark } from '../../../lib/theme.ts'
import { Field } from '../../../ui/base/Field.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { Switch } from '../../../ui/form/Switch.tsx'
import { DefaultAccount } from './DefaultAccount.tsx'
import type { Profile } from './ProfileForms.tsx'

/** Each change is saved at once and undone when saving fails. */
export function PreferencesSection({ profile }: { profile: Profile }) {
  const t = useT()
  const isDark = useStore(dark)
  const currentLanguage = useStore(language)
  const id = useId()
  return (
    <Section title={t('account.profile.preferences')} text={t('account.profile.preferences_text')}>
      <div className="stack stack-5">
        <div className="row between flex-nowrap">
          <div>
            <div className="med" id={id}>
              {t('account.profile.dark_mode')}
            </div>
            <p className="help">{t('account.profile.saved_at_once')}</p>
          </div>
          <Switch checked={isDark} onChange={next => void saveDark(next)} aria-labelledby={id} />
        </div>
        <Field label={t('account.profile.language')} help={t('account.profile.language_help')}>
          <Select
            value={currentLanguage}
            options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            onChange={event => {
              if (isLanguage(event.target.value)) void saveLanguage(event.target.value)
            }}
          />
        </Field>
        <DefaultAccount profile={profile} />
      </div>
    </Section>
  )
}
