import type { SentInvite } from '@plinth/contract'
import { useCallback, useId, useState } from 'react'
import { dropDraft, hasDraft } from '../../lib/form/draft.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { InviteForm } from './InviteForm.tsx'
import { OutcomeList, outcomesOf } from './OutcomeList.tsx'
import { useSeatQuote } from './seat-quote.ts'
import { refreshTeam } from './team-actions.ts'

type Props = { open: boolean; onClose: () => void; free: number | null }

const DRAFT = 'create-user'

/** Invites one or several people, or creates a user at once. After several invites it lists their results. */
export function AddUsersDialog({ open, onClose, free }: Props) {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [label, setLabel] = useState('')
  const [creates, setCreates] = useState(false)
  const [results, setResults] = useState<readonly SentInvite[] | null>(null)
  const [asking, setAsking] = useState(false)
  const [typing, setTyping] = useState('')
  const { known, failed } = useSeatQuote()

  /** Drops the draft: the next user must not start with the role of this one. */
  function close(): void {
    dropDraft(DRAFT)
    setResults(null)
    setAsking(false)
    setTyping('')
    onClose()
  }
  const closeOrAsk = () => (typing.trim() || hasDraft(DRAFT) ? setAsking(true) : close())
  const updateButton = useCallback((text: string, atOnce: boolean): void => {
    setLabel(text)
    setCreates(atOnce)
  }, [])
  function handleSent(answer: SentInvite[]): void {
    refreshTeam()
    // The toast reports a single invite.
    if (answer.length > 1) setResults(answer)
    else close()
  }

  return (
    <Dialog
      open={open}
      onClose={results ? close : closeOrAsk}
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
        ) : asking ? (
          <>
            <Button key="discard" variant="danger" onClick={close}>
              {t('team.create.discard')}
            </Button>
            <Button key="back" variant="primary" ref={takeFocus} onClick={() => setAsking(false)}>
              {t('team.create.back')}
            </Button>
          </>
        ) : (
          <>
            <Button key="cancel" onClick={closeOrAsk} disabled={busy}>
              {t('global.cancel')}
            </Button>
            <Button
              key="send"
              type="submit"
              form={id}
              variant="primary"
              loading={busy || (!known && !failed)}
              disabled={free === 0 || failed}
            >
              {label || t('team.invite.send_none')}
            </Button>
          </>
        )
      }
    >
      {results ? (
        <OutcomeList of={outcomesOf(t, results)} />
      ) : (
        <>
          <InviteForm
            id={id}
            draft={DRAFT}
            bypass
            onSent={handleSent}
            onBusy={setBusy}
            free={free}
            onLabel={updateButton}
            onTyping={setTyping}
          />
          {asking && (
            <Alert tone="warning" title={t('team.create.ask')} announce="alert">
              {t('team.create.ask_text')}
            </Alert>
          )}
        </>
      )}
    </Dialog>
  )
}
