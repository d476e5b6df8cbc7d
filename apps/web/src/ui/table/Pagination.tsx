import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../base/Button.tsx'
import { Icon } from '../base/Icon.tsx'
import './pagination.css'

export interface PaginationProps {
  /** Starts at 1; a start or total of 0 means no rows. */
  start: number
  end: number
  total: number
  onPrevious?: () => void
  onNext?: () => void
  /** Label for screen readers, for example "Pages of users". */
  label: string
  texts: {
    showing: (start: string, end: string, total: string) => string
    none: string
    previous: string
    next: string
  }
}

/** A missing handler disables its button; without both there are no buttons. */
export function Pagination({ start, end, total, onPrevious, onNext, label, texts }: PaginationProps) {
  const number = new Intl.NumberFormat(document.documentElement.lang || undefined)
  const previous = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const ends = { first: !onPrevious, last: !onNext }

  // A disabled button loses the focus, so at an end move it to the other button.
  useLayoutEffect(() => {
    if (ends.last && document.activeElement === next.current) previous.current?.focus()
    if (ends.first && document.activeElement === previous.current) next.current?.focus()
  }, [ends.first, ends.last])

  const [from, to, all] = [start, end, total].map(value => number.format(value))
  return (
    <nav className="pager" aria-label={label}>
      <span className="num" role="status">
        {total > 0 ? texts.showing(from ?? '', to ?? '', all ?? '') : texts.none}
      </span>
      {(onPrevious || onNext) && (
        <div className="row">
          <Button
            ref={previous}
            size="sm"
            disabled={ends.first}
            onClick={onPrevious}
            icon={<Icon of={ChevronLeft} flip />}
          >
            {texts.previous}
          </Button>
          <Button
            ref={next}
            size="sm"
            disabled={ends.last}
            onClick={onNext}
            iconEnd={<Icon of={ChevronRight} flip />}
          >
            {texts.next}
          </Button>
        </div>
      )}
    </nav>
  )
}
