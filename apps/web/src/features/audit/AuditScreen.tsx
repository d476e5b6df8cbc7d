import CircleAlert from 'lucide-react/icons/circle-alert'
import Download from 'lucide-react/icons/download'
import ScrollText from 'lucide-react/icons/scroll-text'
import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { attempt } from '../../lib/api/failure.ts'
import { refresh, usePage } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { saveFile, today } from '../../lib/save-file.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { PageHead } from '../../ui/layout/AccountShell.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { AuditTable } from './AuditTable.tsx'
import { type AuditView, useAuditView } from './use-audit-view.ts'

const PER_PAGE = 50

export function AuditScreen() {
  const t = useT()
  const auditView = useAuditView()
  const { view, filters } = auditView
  const { data, page, failed, retry } = usePage(api.audit.list, {
    query: {
      ...filters,
      limit: String(PER_PAGE),
      ...(view.oldestFirst && { sort: 'date_created' as const }),
      ...(view.cursor && { cursor: view.cursor }),
    },
  })
  if (failed && !data)
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('audit.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('audit.failed_text')}
      </EmptyState>
    )
  const isEmpty = data?.length === 0 && !auditView.filtered && !page?.previous
  if (isEmpty)
    return (
      <Card>
        <div className="py-12">
          <EmptyState icon={ScrollText} title={t('audit.blank')}>
            {t('audit.blank_text')}
          </EmptyState>
        </div>
      </Card>
    )
  return (
    <>
      <PageHead text={t('audit.intro')}>
        <ExportButton filters={filters} />
      </PageHead>
      <Card aria-label={t('audit.title')}>
        <AuditTable rows={data} page={page} auditView={auditView} />
      </Card>
    </>
  )
}

/** Exports all entries that match the filters, not only this page. Hidden during support access. */
function ExportButton({ filters }: { filters: AuditView['filters'] }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  if (useSignedIn().support_until) return null

  async function downloadCsv(): Promise<void> {
    setBusy(true)
    const file = await attempt(api.audit.csv({ body: filters }))
    setBusy(false)
    if (!file) return
    saveFile(file, `${t('audit.file')}-${today()}.csv`)
    toast({ variant: 'success', title: t('audit.exported') })
    // The export itself is a new entry.
    refresh(api.audit.list)
  }

  return (
    <Button icon={<Icon of={Download} />} loading={busy} onClick={() => void downloadCsv()}>
      {t('audit.export')}
    </Button>
  )
}
