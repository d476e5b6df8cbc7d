import type { SentInvite } from '@plinth/contract'
import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { refresh } from '../../lib/api/query.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Well } from '../../ui/Well.tsx'
import { InviteForm } from './InviteForm.tsx'

type Props = { open: boolean; onClose: () => void; free: number | null }

const words: Record<SentInvite['result'], TextKey> = {
  sent: 'team.result.sent',
  resent: 'team.result.resent',
  created: 'team.result.created',
  already_member: 'team.result.already_member',
  permission_required: 'team.result.permission_required',
  too_many: 'team.result.too_many',
}

/** Invites one or several, or makes one user at once. Of several, it says what became of each. */
export function CreateDialog({ open, onClose, free }: Props) {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [label, setLabel] = useState('')
  const [results, setResults] = useState<readonly SentInvite[] | null>(null)

  function close(): void {
    setResults(null)
    onClose()
  }
  function sent(answer: SentInvite[]): void {
    refresh(api.team.list)
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
        results ? undefined : free === null ? t('team.create.text') : t('team.create.seats', { count: free })
      }
      closeLabel={t('global.close')}
      locked={busy}
      stays
      footer={
        results ? (
          <Button variant="primary" onClick={close}>
            {t('team.create.done')}
          </Button>
        ) : (
          <>
            <Button onClick={close} disabled={busy}>
              {t('global.cancel')}
            </Button>
            <Button type="submit" form={id} variant="primary" loading={busy}>
              {label || t('team.invite.send_none')}
            </Button>
          </>
        )
      }
    >
      {results ? (
        <Results results={results} />
      ) : (
        <InviteForm id={id} draft="create-user" bypass onSent={sent} onBusy={setBusy} onLabel={setLabel} />
      )}
    </Dialog>
  )
}

function Results({ results }: { results: readonly SentInvite[] }) {
  const t = useT()
  return (
    <Well>
      <ul className="stack stack-2" role="status">
        {results.map(({ email, id, result }) => (
          <li key={email} className="row gap-2 flex-nowrap">
            <Icon of={id ? Check : Minus} className={id ? 'text-success shrink-0' : 'ink3 shrink-0'} />
            <bdi className="grow wrap-anywhere">{email}</bdi>
            <span className="t13 ink2 text-end">{t(words[result])}</span>
          </li>
        ))}
      </ul>
    </Well>
  )
}
