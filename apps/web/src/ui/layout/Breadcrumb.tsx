import ChevronRight from 'lucide-react/icons/chevron-right'
import { Fragment } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Link } from '../base/Link.tsx'
import './breadcrumb.css'

export interface Crumb {
  name: string
  /** Not needed for the last entry, which is the current page. */
  url?: string
}

export function Breadcrumb({ label, items }: { label: string; items: readonly Crumb[] }) {
  return (
    <nav aria-label={label}>
      <ol className="crumbs">
        {items.map((item, index) => (
          <Fragment key={item.name}>
            {index > 0 && (
              <li aria-hidden="true">
                <Icon of={ChevronRight} size={12} flip />
              </li>
            )}
            <li>
              {item.url && index < items.length - 1 ? (
                <Link href={item.url}>{item.name}</Link>
              ) : (
                <bdi className="one-line" title={item.name} aria-current="page">
                  {item.name}
                </bdi>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
