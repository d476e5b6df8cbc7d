import X from 'lucide-react/icons/x'
import { Button } from '../base/Button.tsx'
import { Icon } from '../base/Icon.tsx'
import type { BulkAction } from './table-view.ts'

interface Props {
  label: string
  count: string
  clear: string
  actions: readonly BulkAction[]
  ids: readonly string[]
  onClear: () => void
}

/** Actions for the selected rows, floating above the end of the page. */
export function SelectionBar({ label, count, clear, actions, ids, onClear }: Props) {
  return (
    <div className="bulk" role="toolbar" aria-label={label}>
      <span className="med bulk__count" role="status">
        {count}
      </span>
      <span className="bulk__sep" />
      {actions.map(({ key, label: name, icon, danger, onSelect }) => (
        <Button
          key={key}
          size="sm"
          variant="ghost"
          className={danger ? 'bulk__danger' : undefined}
          aria-label={name}
          icon={icon && <Icon of={icon} />}
          onClick={() => onSelect(ids)}
        >
          <span className={icon ? 'bulk__word' : undefined}>{name}</span>
        </Button>
      ))}
      <button type="button" className="x" aria-label={clear} onClick={onClear}>
        <Icon of={X} />
      </button>
    </div>
  )
}
