import type { Contract, Reply } from '@plinth/contract'
import { isEmail, limits } from '@plinth/contract/patterns'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Send from 'lucide-react/icons/send'
import { useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'
import { readDraft } from '../../lib/form/draft.ts'
import { Form } from '../../lib/form/Form.tsx'
import { focusable } from '../../lib/form/focusable.ts'
import { custom } from '../../lib/form/more-inputs.tsx'
import type { Input } from '../../lib/form/types.ts'
import { type Translate, t as translate, useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { ChipsInput } from '../../ui/ChipsInput.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'
import { RoleField, type Roles } from './RoleField.tsx'
import { SeatCost } from './SeatCost.tsx'

type Invites = Reply<Contract['team']['invite']>
type Props = { onSent: (invites: Invites) => void }

/** Invites several people at once; what is typed stays in this tab until it is sent. */
export function InviteForm({ onSent }: Props) {
  const t = useT()
  const { data: roles, failed, retry } = useApi(api.team.permissions)
  if (roles) return <Fields roles={roles} onSent={onSent} />
  if (!failed) return <InviteSkeleton />
  return (
    <EmptyState
      icon={CircleAlert}
      title={t('team.failed')}
      action={<Button onClick={retry}>{t('global.retry')}</Button>}
    >
      {t('team.failed_text')}
    </EmptyState>
  )
}

const DRAFT = 'invite-team'

function Fields({ roles, onSent }: Props & { roles: Roles }) {
  const t = useT()
  const id = useId()
  const { permission } = useSignedIn()
  const inputs = { email: emailsInput(t), permission: roleInput(roles, t) }
  const [emails, setEmails] = useState(() => emailsOf(readDraft(DRAFT, inputs).email))
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  const [full, setFull] = useState<string | null>(null)
  const good = emails.filter(isEmail).length

  return (
    <div className="stack stack-5">
      <Form
        // A round that was sent leaves an empty form behind.
        key={round}
        id={id}
        keep={DRAFT}
        inputs={inputs}
        call={api.team.invite}
        onBusy={setBusy}
        onChange={values => {
          setEmails(emailsOf(values.email))
          setFull(null)
        }}
        onError={error => {
          // The general answer to a full plan is the upgrade page; here that would take the typed list away.
          if (error.status !== 402) return false
          setFull(error.message)
          return true
        }}
        callback={sent => {
          setEmails([])
          setRound(round + 1)
          onSent(sent)
        }}
      >
        {full && <Alert tone="warning" title={full} announce="alert" />}
        {permission === 'owner' && good > 0 && <SeatCost seats={good} />}
      </Form>
      <div>
        <Button type="submit" form={id} loading={busy} icon={<Icon of={Send} flip />}>
          {good > 0 ? t('team.invite.send', { count: good }) : t('team.invite.send_none')}
        </Button>
      </div>
    </div>
  )
}

function emailsInput(t: Translate): Input {
  return custom({
    label: t('team.invite.emails'),
    help: t('team.invite.emails_help'),
    value: [],
    framed: true,
    required: true,
    messages: { required: t('team.invite.required') },
    check: value => {
      const emails = emailsOf(value)
      const wrong = emails.find(email => !isEmail(email))
      if (wrong) return t('team.invite.wrong', { email: wrong })
      if (emails.length > limits.invite_emails)
        return t('team.invite.too_many', { max: limits.invite_emails })
      return null
    },
    send: value => emailsOf(value).join(','),
    render: control => (
      <div
        ref={focusable(control, box => box.querySelector<HTMLElement>('.chips__input'))}
        className="contents"
      >
        <ChipsInput
          value={emailsOf(control.value)}
          onChange={control.onChange}
          isGood={isEmail}
          removeLabel={email => t('team.invite.remove', { email })}
          disabled={control.disabled}
        />
      </div>
    ),
  })
}

function roleInput(roles: Roles, t: Translate): Input {
  return custom({
    label: t('team.invite.permission'),
    value: 'user',
    required: true,
    render: control => <RoleField control={control} roles={roles} />,
  })
}

/** How many addresses were typed in this tab and not sent. */
export const unsentInvites = (): number =>
  emailsOf(readDraft(DRAFT, { email: emailsInput(translate) }).email).length

const emailsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(email => typeof email === 'string') : []

function InviteSkeleton() {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-5">
        <Skeleton height="72px" />
        <Skeleton height="36px" />
        <Skeleton height="36px" width="144px" />
      </div>
    </Loading>
  )
}
