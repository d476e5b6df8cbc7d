import { useT } from '../../lib/i18n/translate.ts'
import { Section } from '../../ui/base/Section.tsx'
import { SupportSwitch } from './SupportSwitch.tsx'

/** Support access in the profile; the help page has the same switch. */
export function SupportAccessSection({ allowed }: { allowed: boolean }) {
  const t = useT()
  return (
    <Section title={t('account.support.title')} text={t('account.support.text')}>
      <SupportSwitch allowed={allowed} />
    </Section>
  )
}
