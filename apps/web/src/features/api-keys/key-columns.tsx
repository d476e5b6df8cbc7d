import type { ApiKey } from '@plinth/contract'
import Eye from 'lucide-react/icons/eye'
import { day } from '../../lib/i18n/format.ts'
import type { Translate } from '../../lib/i18n/translate.ts'
import { Badge } from '../../ui/base/Badge.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { TextSpan } from '../../ui/base/TextSpan.tsx'
import { Truncate } from '../../ui/base/Truncate.tsx'
import type { Column } from '../../ui/table/table-view.ts'
import { badgeOf, lastUseOf } from './key-status.ts'

/** @param onReveal null when the user may only read the list */
export function keyColumns(t: Translate, onReveal: ((key: ApiKey) => void) | null): Column<ApiKey>[] {
  return [
    { key: 'name', label: t('api_keys.table.name'), cell: key => <Truncate>{key.name}</Truncate> },
    {
      key: 'key',
      label: t('api_keys.table.key'),
      sortable: false,
      cell: key => (
        <span className="row flex-nowrap">
          <span className="mono ltr">{key.key}</span>
          {key.revealable && onReveal && (
            <button
              type="button"
              className="row-act in-rows"
              aria-label={t('api_keys.reveal_of', { name: key.name })}
              onClick={() => onReveal(key)}
            >
              <Icon of={Eye} />
            </button>
          )}
        </span>
      ),
    },
    {
      key: 'last_used_at',
      label: t('api_keys.table.used'),
      sortable: false,
      card: 'hide',
      cell: key => (
        <span className="ink3">
          <TextSpan>{lastUseOf(key, t)}</TextSpan>
          {key.active && key.expires_at && (
            <span>{` · ${t('api_keys.ends', { date: day(key.expires_at) })}`}</span>
          )}
        </span>
      ),
    },
    {
      key: 'active',
      label: t('api_keys.table.active'),
      sortable: false,
      card: 'inline',
      cell: key => {
        const { color, text } = badgeOf(key)
        return <Badge color={color}>{t(text)}</Badge>
      },
    },
  ]
}
