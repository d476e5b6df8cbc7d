import type { Member } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import { isAssignableRole } from '@plinth/contract/roles'
import { useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { refresh, useApi } from '../../lib/data/query.ts'
import { dropDraft } from '../../lib/form/draft.ts'
import { Form } from '../../lib/form/Form.tsx'
import { email, text } from '../../lib/form/inputs.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { roleInput } from './RoleField.tsx'

const draftOf = ({ id }: Member) => `edit-user-${id}`

/** Edits a member's role. The name and the address can change until the member has verified the address. */
export function EditUserDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)

  /** Cancel and Save drop the draft; closing the dialog in another way keeps it. */
  function done(): void {
    if (member) dropDraft(draftOf(member))
    onClose()
  }

  return (
    <Dialog
      open={member !== null}
      onClose={onClose}
      title={t('team.edit.title', { name: member?.name ?? '' })}
      description={t(member?.editable ? 'team.edit.text_open' : 'team.edit.text')}
      closeLabel={t('global.close')}
      locked={busy}
      stays
      footer={
        <>
          <Button onClick={done} disabled={busy}>
            {t('global.cancel')}
          </Button>
          <Button type="submit" form={id} variant="primary" loading={busy}>
            {t('team.edit.save')}
          </Button>
        </>
      }
    >
      {member && <Fields key={member.id} id={id} member={member} onBusy={setBusy} onDone={done} />}
    </Dialog>
  )
}

type FieldsProps = { id: string; member: Member; onBusy: (busy: boolean) => void; onDone: () => void }

function Fields({ id, member, onBusy, onDone }: FieldsProps) {
  const t = useT()
  const roles = useApi(api.team.permissions).data
  if (!roles)
    return (
      <Loading label={t('global.loading')}>
        <Skeleton height="72px" />
      </Loading>
    )
  const fixed = { readOnly: !member.editable, required: member.editable }
  const name = { ...fixed, half: true, maxLength: limits.name, autoComplete: 'off' }
  const role = isAssignableRole(member.permission) ? roleInput(roles, t, member.permission) : null
  return (
    <Form
      id={id}
      keep={draftOf(member)}
      inputs={{
        first_name: text({ ...name, label: t('team.edit.first_name'), value: member.first_name }),
        last_name: text({ ...name, label: t('team.edit.last_name'), value: member.last_name }),
        email: email({
          ...fixed,
          label: t('team.edit.email'),
          value: member.email,
          maxLength: limits.email,
          autoComplete: 'off',
          ...(member.editable && { help: t('team.edit.email_help') }),
        }),
        ...(role && { permission: role }),
      }}
      extra={{ id: member.id }}
      call={api.profile.update}
      onBusy={onBusy}
      unchanged={onDone}
      callback={() => {
        refresh(api.team.list)
        onDone()
      }}
    />
  )
}
