import { type AuditArea, auditAreas } from '@plinth/contract/audit-actions'
import ListFilter from 'lucide-react/icons/list-filter'
import { useId, useState } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/base/Button.tsx'
import { FieldNote } from '../../ui/base/Field.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { focusOn } from '../../ui/base/restore-focus.ts'
import { SearchBox } from '../../ui/form/SearchBox.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import { type AuditView, isDay } from './use-audit-view.ts'

export function Filters({ auditView }: { auditView: AuditView }) {
  const t = useT()
  const { view, type } = auditView
  return (
    <div className={auditView.datesReversed ? 'row items-start gap-2 grow' : 'row gap-2 grow'}>
      <SearchBox
        label={t('audit.search')}
        clearLabel={t('global.table.clear_search')}
        value={view.search}
        onChange={search => type({ search: search.slice(0, 100) })}
        debounce={250}
      />
      <AreaMenu auditView={auditView} />
      <DayInput label={t('audit.since')} value={view.since} onChange={since => type({ since })} />
      <DayInput
        label={t('audit.until')}
        value={view.until}
        onChange={until => type({ until })}
        error={auditView.datesReversed ? t('audit.turned') : undefined}
      />
      {auditView.filtered && (
        <Button
          size="sm"
          variant="ghost"
          onClick={({ currentTarget }) => {
            // This button disappears with the filters.
            focusOn(currentTarget.closest('.row') ?? document)
            auditView.clear()
          }}
        >
          {t('audit.clear')}
        </Button>
      )}
    </div>
  )
}

function AreaMenu({ auditView }: { auditView: AuditView }) {
  const t = useT()
  const { what } = auditView.view
  const word = (area: AuditArea | null) => t(`audit.area.${area ?? 'all'}`)
  const entry = (area: AuditArea | null) => ({
    key: area ?? 'all',
    label: word(area),
    selected: area === what,
    onSelect: () => auditView.choose(area),
  })
  const areas = auditAreas.toSorted((a, b) => word(a).localeCompare(word(b)))
  return (
    <Menu
      align="start"
      entries={[entry(null), ...areas.map(entry)]}
      trigger={
        <Button size="sm" icon={<Icon of={ListFilter} />}>
          {word(what)}
        </Button>
      }
    />
  )
}

type DayProps = { label: string; value: string; onChange: (day: string) => void; error?: string | undefined }

/** A native date input. While the year is typed its value is out of range, and the filter does not change. */
function DayInput({ label, value, onChange, error }: DayProps) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [from, setFrom] = useState(value)
  // Back changes the value from outside.
  if (value !== from) {
    setFrom(value)
    setTyped(value)
  }

  function changeDay(next: string): void {
    setTyped(next)
    if (next !== '' && !isDay(next)) return
    setFrom(next)
    onChange(next)
  }

  return (
    <div className="grid gap-1 max-[720px]:w-full">
      <span className="row gap-2 flex-nowrap">
        <label className="t13 ink3 max-[720px]:w-10" htmlFor={id}>
          {label}
        </label>
        <input
          id={id}
          type="date"
          className="input input--quiet input--bar w-38 max-[720px]:grow"
          min="2000-01-01"
          max="2099-12-31"
          value={typed}
          onChange={event => changeDay(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
        />
      </span>
      <FieldNote id={`${id}-note`} error={error} />
    </div>
  )
}
