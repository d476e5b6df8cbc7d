import { readableEmail } from '@plinth/contract/email'
import Mail from 'lucide-react/icons/mail'
import { clock, day } from '../../lib/i18n/format.ts'
import type { TextKey } from '../../lib/i18n/texts.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Avatar } from '../../ui/base/Avatar.tsx'
import { Badge, type BadgeColor } from '../../ui/base/Badge.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { Truncate } from '../../ui/base/Truncate.tsx'
import { PersonCell } from '../../ui/table/PersonCell.tsx'
import type { Column } from '../../ui/table/table-view.ts'
import { roleNames, type TeamRow } from './team-row.ts'
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
      cell: row => <Truncate>{readableEmail(row.email)}</Truncate>,
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
      <PersonCell
        name={row.name}
        src={row.avatar}
        note={row.you ? t('team.users.you') : undefined}
        cardLine={<Truncate>{readableEmail(row.email)}</Truncate>}
      />
    )
  return (
    <span className="who">
      <Avatar name={readableEmail(row.email)} icon={<Icon of={Mail} size={12} />} />
      <span>
        <span className="in-cards">
          <Truncate>{readableEmail(row.email)}</Truncate>
        </span>
        <span className="in-rows ink3">
          {t(row.expired ? 'team.users.expired_on' : 'team.users.invited_on', { date: day(row.date_sent) })}
        </span>
      </span>
    </span>
  )
}
