import type { AuditEntry } from '@plinth/contract'
import { readableEmail } from '@plinth/contract/email'
import { clock, day } from '../../lib/i18n/format.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Avatar } from '../../ui/base/Avatar.tsx'
import type { Column } from '../../ui/table/table-view.ts'
import { auditText } from './audit-text.ts'

/** On phones a row shows the sentence, with the name and the time below it. */
export function auditColumns(t: Translate): Column<AuditEntry>[] {
  return [
    {
      key: 'who',
      label: t('audit.who'),
      sortable: false,
      cell: entry => <Actor entry={entry} t={t} />,
      flexible: true,
      card: 'hide',
    },
    {
      key: 'what',
      label: t('audit.what'),
      sortable: false,
      cell: entry => (
        <span className="whitespace-normal wrap-anywhere font-normal">
          {auditText(t, entry)}
          <span className="in-cards t13 ink3">
            <bdi>{nameOf(t, entry)}</bdi> <Note entry={entry} t={t} /> ·{' '}
            <When at={entry.date_created} t={t} />
          </span>
        </span>
      ),
      card: 'main',
    },
    {
      key: 'network',
      label: t('audit.network'),
      sortable: false,
      cell: ({ network }) => network && <bdi className="ink3 num">{network}</bdi>,
      card: 'hide',
    },
    {
      key: 'date_created',
      label: t('audit.when'),
      cell: ({ date_created }) => <When at={date_created} t={t} />,
      card: 'hide',
    },
  ]
}

function When({ at, t }: { at: string; t: Translate }) {
  return (
    <time className="num nowrap" dateTime={at}>
      {t('audit.at', { day: day(at), time: clock(at) })}
    </time>
  )
}

/** Support actions appear under the name of the support user. */
const bySupport = ({ action }: AuditEntry) =>
  action === 'support.link_made' || action === 'support.session_began'

export function nameOf(t: Translate, { who, name }: AuditEntry): string {
  return name ?? t(who === 'product' ? 'global.app' : 'audit.gone')
}

/** Marks support users and former members. */
function Note({ entry, t }: { entry: AuditEntry; t: Translate }) {
  const note = bySupport(entry) ? t('audit.support') : entry.who === 'former' ? t('audit.former') : null
  return note && <span className="ink3 t13">{note}</span>
}

function Actor({ entry, t }: { entry: AuditEntry; t: Translate }) {
  return (
    <span className="who">
      <Avatar name={nameOf(t, entry)} src={entry.avatar} />
      <span className="min-w-0" title={entry.email ? readableEmail(entry.email) : undefined}>
        <bdi>
          <b>{nameOf(t, entry)}</b>
        </bdi>{' '}
        <Note entry={entry} t={t} />
        {entry.email && (
          <span className="block t13 ink3 font-normal truncate">{readableEmail(entry.email)}</span>
        )}
      </span>
    </span>
  )
}
