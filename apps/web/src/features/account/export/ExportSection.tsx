import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { saveFile, today } from '../../../lib/save-file.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { toast } from '../../../ui/overlay/toast.ts'

/** Downloads the user's data. Hidden during support access. */
export function ExportSection() {
  const t = useT()
  const [busy, setBusy] = useState(false)
  if (useSignedIn().support_until) return null

  async function downloadData(): Promise<void> {
    setBusy(true)
    const data = await attempt(api.dataExport.own())
    setBusy(false)
    if (!data) return
    const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    saveFile(file, `${t('account.export.file')}-${today()}.json`)
    toast({ variant: 'success', title: t('account.export.done') })
  }

  return (
    <Section title={t('account.export.title')} text={t('account.export.text')}>
      <Button icon={<Icon of={Download} />} loading={busy} onClick={() => void downloadData()}>
        {t('account.export.button')}
      </Button>
      <p className="help pt-2">{t('account.export.help')}</p>
    </Section>
  )
}
