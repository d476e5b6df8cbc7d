import { isAssignableRole } from '@plinth/contract/roles'
import { useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { refresh, useApi } from '../../lib/data/query.ts'
import { Form } from '../../lib/form/Form.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { changeRoles } from './change-roles.ts'
import { type Outcome, OutcomeList } from './OutcomeList.tsx'
import { roleInput } from './RoleField.tsx'
import { SeatCost } from './SeatCost.tsx'
import { useSeatQuote } from './seat-quote.ts'
import { labelOf, type TeamRow } from './team-row.ts'

type Props = {
  /** Null while the dialog is closed. */
  chosen: { rows: readonly TeamRow[]; fixed: readonly TeamRow[] } | null
  onClose: () => void
}

/** Sets one role for several rows. The result also lists the rows that can't be changed. */
export function RolesDialog({ chosen, onClose }: Props) {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null)
  const rows = chosen?.rows ?? []
  const left = chosen?.fixed.length ?? 0
  const invites = rows.some(({ kind }) => kind === 'invite')
  const price = useSeatQuote()

  function close(): void {
    setOutcomes(null)
    onClose()
  }

  return (
    <Dialog
      open={chosen !== null}
      onClose={close}
      title={outcomes ? t('team.roles_changed.title') : t('team.change_roles.title', { count: rows.length })}
      description={
        outcomes ? undefined : (
          <div className="stack stack-3">
            <p>{t(invites ? 'team.change_roles.text_invites' : 'team.change_roles.text')}</p>
            {left > 0 && <p>{t('team.change_roles.left', { count: left })}</p>}
          </div>
        )
      }
      closeLabel={t('global.close')}
      locked={busy}
      stays
      footer={
        outcomes ? (
          <Button key="done" ref={takeFocus} variant="primary" onClick={close}>
            {t('team.create.done')}
          </Button>
        ) : (
          <>
            <Button onClick={close} disabled={busy}>
              {t('global.cancel')}
            </Button>
            <Button
              key="send"
              type="submit"
              form={id}
              variant="primary"
              loading={busy || (invites && !price.known && !price.failed)}
              disabled={invites && price.failed}
            >
              {t('team.action.change_roles')}
            </Button>
          </>
        )
      }
    >
      {outcomes ? (
        <OutcomeList of={outcomes} />
      ) : (
        chosen && <Fields id={id} {...chosen} onBusy={setBusy} onDone={setOutcomes} />
      )}
    </Dialog>
  )
}

type FieldsProps = NonNullable<Props['chosen']> & {
  id: string
  onBusy: (busy: boolean) => void
  onDone: (outcomes: readonly Outcome[]) => void
}

function Fields({ id, rows, fixed, onBusy, onDone }: FieldsProps) {
  const t = useT()
  const roles = useApi(api.team.permissions).data
  if (!roles)
    return (
      <Loading label={t('global.loading')}>
        <Skeleton height="72px" />
      </Loading>
    )
  const left = fixed.map(row => ({
    key: row.id,
    label: labelOf(row),
    done: false,
    text: t('team.roles_changed.fixed'),
  }))
  return (
    <Form
      id={id}
      inputs={{ permission: roleInput(roles, t) }}
      call={async ({ body: { permission } }: { body: { permission?: string } }) => ({
        data: isAssignableRole(permission) ? await changeRoles(rows, permission) : [],
        message: undefined,
      })}
      onBusy={onBusy}
      callback={outcomes => {
        refresh(api.team.list)
        onDone([...outcomes, ...left])
      }}
    >
      {rows.some(({ kind }) => kind === 'invite') && <SeatCost seats={rows.filter(isExpired).length} />}
    </Form>
  )
}

/** An expired invite holds no seat; the new link takes one. */
const isExpired = (row: TeamRow) => row.kind === 'invite' && row.expired
