import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import './pager.css'

export interface PaginationProps {
  /** Counted from 1; start 0 or total 0 means there is nothing. */
  start: number
  end: number
  total: number
  onPrevious?: () => void
  onNext?: () => void
  /** Named for screen readers, as in "Pages of users". */
  label: string
  texts: {
    showing: (start: string, end: string, total: string) => string
    none: string
    previous: string
    next: string
  }
}

/** Without onPrevious or onNext there is nowhere to go that way; without both, no buttons. */
export function Pagination({ start, end, total, onPrevious, onNext, label, texts }: PaginationProps) {
  const number = new Intl.NumberFormat(document.documentElement.lang || undefined)
  const [from, to, all] = [start, end, total].map(value => number.format(value))
  return (
    <nav className="pager" aria-label={label}>
      <span className="num" role="status">
        {total > 0 ? texts.showing(from ?? '', to ?? '', all ?? '') : texts.none}
      </span>
      {(onPrevious || onNext) && (
        <div className="row">
          <Button size="sm" disabled={!onPrevious} onClick={onPrevious} icon={<Icon of={ChevronLeft} flip />}>
            {texts.previous}
          </Button>
          <Button size="sm" disabled={!onNext} onClick={onNext} iconEnd={<Icon of={ChevronRight} flip />}>
            {texts.next}
          </Button>
        </div>
      )}
    </nav>
  )
}
