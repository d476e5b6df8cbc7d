import { useT } from '../../../lib/i18n/translate.ts'
import { Secret } from '../../../ui/base/Inset.tsx'

/** A value to copy into another system, with the label that the other system uses. */
export function CopyableValue({ label, value }: { label: string; value: string }) {
  const t = useT()
  return (
    <div className="stack stack-1 w-full">
      <span className="t13 ink2">{label}</span>
      <Secret
        value={value}
        copyLabel={t('sso.copy')}
        copiedLabel={t('sso.copied')}
        refusedText={t('account.copy_refused')}
      />
    </div>
  )
}
