import type { Contract, Reply } from '@plinth/contract'
import { normalizeEmail, splitEmails } from '@plinth/contract/email'
import { limits } from '@plinth/contract/patterns'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Send from 'lucide-react/icons/send'
import { useEffect, useId, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import type { ApiError } from '../../lib/api/error.ts'
import { useApi } from '../../lib/data/query.ts'
import { readDraft } from '../../lib/form/draft.ts'
import { Form } from '../../lib/form/Form.tsx'
import { password, text } from '../../lib/form/inputs.tsx'
import type { Input } from '../../lib/form/types.ts'
import { type Translate, t as translate, useT } from '../../lib/i18n/translate.ts'
import { focusable } from '../../lib/inputs/focusable.ts'
import { custom, toggle } from '../../lib/inputs/more-inputs.tsx'
import { paths, withQuery } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Field } from '../../ui/base/Field.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { ChipsInput } from '../../ui/form/ChipsInput.tsx'
import { refreshBilling } from '../billing/shared/refresh-billing.ts'
import { type Roles, roleInput } from './RoleField.tsx'
import { SeatCost } from './SeatCost.tsx'
import { SeatNotice } from './SeatNotice.tsx'
import { useSeatQuote } from './seat-quote.ts'
import { useNewSeats } from './use-new-seats.ts'

type Invites = Reply<Contract['team']['invite']>
type Props = {
  onSent: (invites: Invites) => void
  /** The key of the draft in this tab. */
  draft?: string
  /** Also offers to create the user at once, with a password. */
  bypass?: boolean
  /** The id of the form, when the parent renders the submit button. */
  id?: string
  onBusy?: (busy: boolean) => void
  /** Reports the label of the submit button, and whether the user is created at once. */
  onLabel?: (label: string, creates: boolean) => void
  /** Reports text in the address field that is not an address yet. */
  onTyping?: (text: string) => void
  /** How many seats are free; null without a limit. */
  free?: number | null
}

/** Invites several people at once. The draft stays in this tab until it is sent. */
export function InviteForm(props: Props) {
  const t = useT()
  const { data: roles, failed, retry } = useApi(api.team.permissions)
  if (roles) return <Fields {...props} roles={roles} />
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

function Fields({
  roles,
  onSent,
  draft = DRAFT,
  bypass = false,
  onBusy,
  onLabel,
  onTyping,
  free = null,
  ...props
}: Props & { roles: Roles }) {
  const t = useT()
  const ownId = useId()
  const id = props.id ?? ownId
  const { permission } = useSignedIn()
  const [values, setValues] = useState(() => ({
    email: [],
    bypass_signup: false,
    ...readDraft(draft, { email: emailsInput(t), bypass_signup: bypassInput(t) }),
  }))
  const [busy, setBusy] = useState(false)
  const [round, setRound] = useState(0)
  const [full, setFull] = useState<ApiError | null>(null)
  const good = emailsOf(values.email).filter(isAddress).length
  const seats = useNewSeats(emailsOf(values.email), permission === 'owner' || free !== null)
  const { quote, known, failed } = useSeatQuote()
  const [isChanged, setChanged] = useState(false)
  const creates = bypass && values.bypass_signup === true
  const label = creates
    ? t('team.create.button')
    : good > 0
      ? t('team.invite.send', { count: good })
      : t('team.invite.send_none')
  // The submit button can be in the footer of a dialog.
  useEffect(() => onLabel?.(label, creates), [label, creates, onLabel])

  return (
    <div className="stack stack-5" ref={bypass ? takeFocusFromCloseButton : undefined}>
      <Form
        // The new key empties the form after it was sent.
        key={round}
        id={id}
        keep={draft}
        inputs={{
          email: creates ? oneEmailInput(t, onTyping) : emailsInput(t, onTyping),
          permission: roleInput(roles, t),
          ...(bypass && { bypass_signup: bypassInput(t) }),
          ...(creates && personInputs(t)),
        }}
        extra={quote ? { quote } : {}}
        call={bypass ? inviteWithoutToast : api.team.invite}
        onBusy={now => {
          setBusy(now)
          onBusy?.(now)
        }}
        onChange={next => {
          setValues({ email: [], bypass_signup: false, ...next })
          setFull(null)
          setChanged(false)
        }}
        onError={error => {
          if (error.code === 'price_changed') {
            setChanged(true)
            refreshBilling()
            return true
          }
          // By default a full plan opens the upgrade page, which would lose the typed addresses.
          if (error.status !== 402) return false
          setFull(error)
          return true
        }}
        callback={sent => {
          setValues({ email: [], bypass_signup: false })
          setRound(round + 1)
          onSent(sent)
        }}
      >
        {!full && <SeatNotice free={free} wanted={seats} />}
        {full && (
          <Alert
            tone="warning"
            title={full.message}
            announce="alert"
            action={
              permission === 'owner' &&
              full.plan && (
                <ButtonLink href={withQuery(paths.upgrade, { plan: full.plan })}>
                  {t('team.full.plans')}
                </ButtonLink>
              )
            }
          />
        )}
        {free !== 0 && <SeatCost seats={seats} joinsNow={creates} />}
        {isChanged && (
          <Alert tone="warning" title={t('team.price_changed.title')} announce="alert">
            {t('team.price_changed.text')}
          </Alert>
        )}
      </Form>
      {!props.id && (
        <div>
          <Button
            type="submit"
            form={id}
            loading={busy || (!known && !failed)}
            disabled={failed}
            icon={<Icon of={Send} flip />}
          >
            {label}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The fields load after the dialog has opened, which gave the focus to its close button. */
function takeFocusFromCloseButton(fields: HTMLElement | null): void {
  const dialog = fields?.closest('dialog')
  if (dialog?.contains(document.activeElement) && document.activeElement?.matches('.x'))
    fields?.querySelector<HTMLElement>('.chips__input')?.focus()
}

/** The dialog shows the result of each invite. A toast would hide it. */
const inviteWithoutToast: typeof api.team.invite = Object.assign(
  async (...given: Parameters<typeof api.team.invite>) => {
    const answer = await api.team.invite(...given)
    return answer.data.length > 1 ? { ...answer, message: undefined } : answer
  },
  { id: api.team.invite.id, method: api.team.invite.method, path: api.team.invite.path },
)

const bypassInput = (t: Translate): Input =>
  toggle({ label: t('team.create.bypass'), help: t('team.create.bypass_help') })

/** Fields of a user who is created at once. They replace the password when they verify their address. */
function personInputs(t: Translate) {
  const name = { required: true, half: true, maxLength: limits.name, autoComplete: 'off' }
  return {
    first_name: text({ ...name, label: t('team.edit.first_name') }),
    last_name: text({ ...name, label: t('team.edit.last_name') }),
    password: password({
      label: t('team.create.password'),
      help: t('team.create.password_help', { minLength: limits.password_min }),
      required: true,
      minLength: limits.password_min,
      maxLength: limits.password_max,
      complex: true,
      autoComplete: 'new-password',
    }),
    confirm_password: password({
      label: t('team.create.confirm'),
      required: true,
      matches: 'password',
      messages: { required: t('team.create.confirm_required') },
      autoComplete: 'new-password',
    }),
  }
}

/** Accepts one address only, because each created user gets their own password. */
function oneEmailInput(t: Translate, onTyping: Props['onTyping']): Input {
  const validate = (value: unknown) => {
    const emails = emailsOf(value)
    if (emails.length > 1) return t('team.create.one')
    return emails.every(isAddress) ? null : t('team.create.wrong')
  }
  return addressesInput(t, validate, { label: t('team.create.email'), onTyping })
}

function emailsInput(t: Translate, onTyping?: Props['onTyping']): Input {
  const validate = (value: unknown) => {
    const emails = emailsOf(value)
    const wrong = emails.filter(email => !isAddress(email))
    if (wrong[0]) return t('team.invite.wrong', { count: wrong.length, email: wrong[0] })
    return emails.length > limits.invite_emails
      ? t('team.invite.too_many', { max: limits.invite_emails })
      : null
  }
  const [label, help] = [t('team.invite.emails'), t('team.invite.emails_help')]
  return addressesInput(t, validate, { label, help, onTyping })
}

function addressesInput(
  t: Translate,
  check: (value: unknown) => string | null,
  { label, help, onTyping }: { label: string; help?: string; onTyping: Props['onTyping'] },
): Input {
  return custom({
    label,
    help,
    value: [],
    required: true,
    messages: { required: t('team.invite.required') },
    check,
    send: value => emailsOf(value).join(','),
    render: control => (
      // The switch below changes the rule, so the error is computed at each render.
      <Field label={label} help={help} required error={check(control.value) ?? serverError(control.error, t)}>
        <div
          ref={focusable(control, box => box.querySelector<HTMLElement>('.chips__input'))}
          className="contents"
        >
          <ChipsInput
            value={emailsOf(control.value)}
            onChange={control.onChange}
            onTyping={onTyping}
            isGood={isAddress}
            split={splitEmails}
            spelling={email => normalizeEmail(email) ?? email}
            removeLabel={email => t('team.invite.remove', { email })}
            disabled={control.disabled}
          />
        </div>
      </Field>
    ),
  })
}

/** The server's error; not an outdated error about a list of addresses. */
const serverError = (error: string | undefined, t: Translate) =>
  error === t('team.create.one') || error === t('team.create.wrong') ? undefined : error

/** How many addresses were typed in this tab and not sent. */
export const unsentInvites = (): number =>
  emailsOf(readDraft(DRAFT, { email: emailsInput(translate) }).email).length

const isAddress = (text: string) => normalizeEmail(text) !== null

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
