import { Button } from '../../ui/base/Button.tsx'
import { useT } from '../i18n/translate.ts'

/** Marks restored values as unsaved. */
export function Restored({ onDiscard }: { onDiscard: () => void }) {
  const t = useT()
  return (
    <div className="row between gap-3">
      <span className="t13 ink2">{t('global.form.restored')}</span>
      <Button size="sm" variant="ghost" onClick={onDiscard}>
        {t('global.form.discard')}
      </Button>
    </div>
  )
}
