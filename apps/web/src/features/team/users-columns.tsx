import { readableEmail } from '@plinth/contract/email'
import Mail from 'lucide-react/icons/mail'
import { clock, day } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge, type BadgeColor } from '../../ui/Badge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OneLine } from '../../ui/OneLine.tsx'
import type { Column } from '../../ui/table-view.ts'
import { Who } from '../../ui/Who.tsx'
import { roleNames, type TeamRow } from './team.ts'
import type { Status } from './use-team-view.ts'

const badges: Record<Status, { color: BadgeColor; word: TextKey }> = {
  verified: { color: 'green', word: 'team.status.verified' },
  registered: { color: 'blue', word: 'team.status.registered' },
  invited: { color: 'orange', word: 'team.status.invited' },
}
export const statusWord = (status: Status): TextKey => badges[status].word

export function usersColumns(t: Translate): Column<TeamRow>[] {
  return [
    { key: 'name', label: t('team.users.name'), cell: row => <Person row={row} t={t} /> },
    {
      key: 'email',
      label: t('team.users.email'),
      cell: row => <OneLine>{readableEmail(row.email)}</OneLine>,
      flexible: true,
      card: 'hide',
    },
    {
      key: 'permission',
      label: t('team.users.permission'),
      cell: row => t(roleNames[row.permission]),
    },
    {
      key: 'last_login',
      label: t('team.users.last_login'),
      cell: row => {
        const at = row.kind === 'user' ? row.last_login : null
        if (!at) return <span className="ink3">{t('team.users.never')}</span>
        return <time dateTime={at}>{t('team.users.at', { day: day(at), time: clock(at) })}</time>
      },
      card: 'meta-roomy',
    },
    {
      key: 'status',
      label: t('team.users.status'),
      cell: ({ status }) => <Badge color={badges[status].color}>{t(badges[status].word)}</Badge>,
      card: 'meta-end',
    },
  ]
}

function Person({ row, t }: { row: TeamRow; t: Translate }) {
  if (row.kind === 'user')
    return (
      <Who
        name={row.name}
        src={row.avatar}
        note={row.you ? t('team.users.you') : undefined}
        cardLine={<OneLine>{readableEmail(row.email)}</OneLine>}
      />
    )
  return (
    <span className="who">
      <Avatar name={readableEmail(row.email)} icon={<Icon of={Mail} size={12} />} />
      <span>
        <span className="in-cards">
          <OneLine>{readableEmail(row.email)}</OneLine>
        </span>
        <span className="in-rows ink3">
          {t(row.expired ? 'team.users.expired_on' : 'team.users.invited_on', { date: day(row.date_sent) })}
        </span>
      </span>
    </span>
  )
}
