import { isAssignableRole, type Role } from '@plinth/contract/roles'
import Crown from 'lucide-react/icons/crown'
import KeyRound from 'lucide-react/icons/key-round'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import Pencil from 'lucide-react/icons/pencil'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import type { Translate } from '../../lib/i18n/translate.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import type { RowAction } from '../../ui/table/table-view.ts'
import { askRemove } from './remove-members.tsx'
import { resendInvite } from './resend-invite.tsx'
import {
  askLeave,
  askReset,
  askSignOut,
  askTransfer,
  askWithdraw,
  composeMail,
  explainOnlyOwner,
} from './team-actions.ts'
import { mayManage, type TeamRow } from './team-row.ts'

type User = Extract<TeamRow, { kind: 'user' }>
type Own = { role: Role; account: string; onlyOwner: boolean; edit: (row: User) => void }

/** The menu of a row, which depends on the kind of row and on the user's role. */
export function rowActions(t: Translate, { role, account, onlyOwner, edit }: Own): RowAction<TeamRow>[] {
  const onUser = (act: (row: User) => void) => (row: TeamRow) => {
    if (row.kind === 'user') act(row)
  }
  const isUser = (row: TeamRow): row is User => row.kind === 'user'
  const manageable = (row: TeamRow) => mayManage(role, row)
  return [
    {
      key: 'edit',
      label: t('team.action.edit'),
      icon: Pencil,
      // The role of an owner can't be edited, and owners change their name themselves.
      when: row =>
        isUser(row) && (row.you || (manageable(row) && (row.editable || isAssignableRole(row.permission)))),
      onSelect: onUser(row => (row.you ? navigate(paths.profile) : edit(row))),
    },
    {
      key: 'resend',
      label: t('team.action.resend'),
      icon: Send,
      when: row => !isUser(row) && manageable(row),
      onSelect: row => row.kind === 'invite' && void resendInvite(row),
    },
    { key: 'contact', label: t('team.action.contact'), icon: Mail, onSelect: row => composeMail([row]) },
    {
      key: 'reset',
      label: t('team.action.reset'),
      icon: KeyRound,
      when: row => isUser(row) && !row.you,
      onSelect: onUser(askReset),
    },
    {
      key: 'sign_out',
      label: t('team.action.sign_out'),
      icon: LogOut,
      when: row => isUser(row) && !row.you && manageable(row),
      onSelect: onUser(askSignOut),
    },
    {
      key: 'transfer',
      label: t('team.action.transfer'),
      icon: Crown,
      when: row => role === 'owner' && isUser(row) && !row.you && row.verified,
      onSelect: onUser(row => askTransfer(row, account)),
    },
    {
      key: 'leave',
      label: t('team.action.leave'),
      icon: Trash,
      danger: true,
      when: row => isUser(row) && row.you,
      onSelect: onUser(row => (onlyOwner ? explainOnlyOwner(account) : askLeave(row, account))),
    },
    {
      key: 'delete',
      label: t('team.action.delete'),
      icon: Trash,
      danger: true,
      when: row => isUser(row) && !row.you && manageable(row),
      onSelect: onUser(row => askRemove(row, account)),
    },
    {
      key: 'withdraw',
      label: t('team.action.withdraw'),
      icon: Trash,
      danger: true,
      when: row => !isUser(row) && manageable(row),
      onSelect: row => row.kind === 'invite' && askWithdraw(row),
    },
  ]
}
