import type { Contract, Reply } from '@plinth/contract'
import { type Answer, api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { refresh } from '../../lib/data/query.ts'
import { openDialog } from '../../lib/dialog.ts'
import { password } from '../../lib/form/inputs.tsx'
import { t } from '../../lib/i18n/translate.ts'
import { toggle } from '../../lib/inputs/more-inputs.tsx'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { leaveFor } from '../../lib/session/complete-sign-in.ts'
import { mergeSession } from '../../lib/session/store.ts'
import { toast } from '../../ui/overlay/toast.ts'
import { refreshBilling } from '../billing/shared/refresh-billing.ts'
import type { TeamRow } from './team-row.ts'

type User = Extract<TeamRow, { kind: 'user' }>
type Invited = Extract<TeamRow, { kind: 'invite' }>
type Removed = Reply<Contract['team']['remove']>

/** Refetches the team and the cost of its seats. */
export function refreshTeam(): void {
  refresh(api.team.list)
  refreshBilling()
}

/** A row that was removed by another user or in another tab is no error. */
export async function ignoreMissing<T>(call: Promise<Answer<T>>): Promise<Answer<T | null>> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return { data: null, message: t('team.action.gone') }
  }
}

/** Opens the user's mail program with the addresses of the rows. */
export function composeMail(rows: readonly TeamRow[]): void {
  window.location.href = `mailto:${rows.map(({ email }) => encodeURIComponent(email).replace('%40', '@')).join(',')}`
}

export function askReset(row: User): void {
  openDialog({
    title: t('team.reset.title', { name: row.name }),
    description: t('team.reset.text', { email: row.email }),
    buttonText: t('team.reset.button'),
    call: () => api.auth.requestReset({ body: { email: row.email } }),
    callback: () => toast({ variant: 'success', title: t('team.reset.done', { email: row.email }) }),
  })
}

export function askSignOut(row: User): void {
  openDialog({
    title: t('team.sign_out.title', { name: row.name }),
    description: t('team.sign_out.text'),
    buttonText: t('team.sign_out.button'),
    call: () => api.team.signOut({ params: { id: row.id } }),
  })
}

/** The only owner can't leave, so no password is asked for. */
export function explainOnlyOwner(account: string): void {
  openDialog({
    title: t('team.only_owner.title', { account }),
    description: t('team.only_owner.text'),
    buttonText: t('team.only_owner.button'),
    callback: () => navigate(paths.profile),
  })
}

/** Leaves the account after a step-up. Opens another account of the user, or ends the session. */
export function askLeave(row: User, account: string): void {
  openDialog({
    title: t('team.leave.title', { account }),
    description: t('team.leave.text'),
    buttonText: t('team.leave.button'),
    danger: true,
    form: {
      password: password({
        label: t('team.leave.password'),
        required: true,
        autoComplete: 'current-password',
      }),
    },
    call: ({ body }: { body: { password?: string; code?: string } }) =>
      api.team.remove({ params: { id: row.id }, body }),
    callback: ({ signout, session }: Removed) => leaveFor(signout ? null : session),
  })
}

export function askTransfer(row: User, account: string): void {
  openDialog({
    title: t('team.transfer.title', { name: row.name, account }),
    description: t('team.transfer.text', { name: row.name }),
    buttonText: t('team.transfer.button'),
    form: { stay: toggle({ label: t('team.transfer.stay'), help: t('team.transfer.stay_help') }) },
    call: ({ body }: { body: { stay?: boolean; password?: string; code?: string } }) =>
      api.team.transfer({ body: { ...body, user: row.id } }),
    callback({ permission }: Reply<Contract['team']['transfer']>) {
      mergeSession({ permission })
      refreshTeam()
    },
  })
}

export function askWithdraw(row: Invited): void {
  openDialog({
    title: t('team.withdraw.title', { email: row.email }),
    description: t('team.withdraw.text'),
    buttonText: t('team.withdraw.button'),
    danger: true,
    call: () => ignoreMissing(api.team.withdraw({ params: { id: row.id } })),
    callback: refreshTeam,
  })
}
