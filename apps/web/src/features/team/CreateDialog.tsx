import type { SentInvite } from '@plinth/contract'
import { useCallback, useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { refresh } from '../../lib/api/query.ts'
import { dropDraft } from '../../lib/form/draft.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { InviteForm } from './InviteForm.tsx'
import { outcomesOf, Results } from './Results.tsx'

type Props = { open: boolean; onClose: () => void; free: number | null }

const DRAFT = 'create-user'

/** Invites one or several, or makes one user at once. Of several, it says what became of each. */
export function CreateDialog({ open, onClose, free }: Props) {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [label, setLabel] = useState('')
  const [creates, setCreates] = useState(false)
  const [results, setResults] = useState<readonly SentInvite[] | null>(null)

  /** Who closes it means it: the next user starts with nothing of this one, least of all with their role. */
  function close(): void {
    dropDraft(DRAFT)
    setResults(null)
    onClose()
  }
  const show = useCallback((words: string, atOnce: boolean): void => {
    setLabel(words)
    setCreates(atOnce)
  }, [])
  function sent(answer: SentInvite[]): void {
    refresh(api.team.list, api.billing.subscription, api.billing.previewPlan, api.billing.upcoming)
    // One alone is told by the toast.
    if (answer.length > 1) setResults(answer)
    else close()
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={t(results ? 'team.create.results' : 'team.create.title')}
      description={
        results
          ? undefined
          : creates
            ? t('team.create.text_bypass')
            : free
              ? t('team.create.seats', { count: free })
              : t('team.create.text')
      }
      closeLabel={t('global.close')}
      locked={busy}
      stays
      footer={
        results ? (
          <Button variant="primary" key="done" ref={takeFocus} onClick={close}>
            {t('team.create.done')}
          </Button>
        ) : (
          <>
            <Button onClick={close} disabled={busy}>
              {t('global.cancel')}
            </Button>
            <Button key="send" type="submit" form={id} variant="primary" loading={busy} disabled={free === 0}>
              {label || t('team.invite.send_none')}
            </Button>
          </>
        )
      }
    >
      {results ? (
        <Results of={outcomesOf(t, results)} />
      ) : (
        <InviteForm id={id} draft={DRAFT} bypass onSent={sent} onBusy={setBusy} free={free} onLabel={show} />
      )}
    </Dialog>
  )
}
