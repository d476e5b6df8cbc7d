import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode, Ref } from 'react'
import { Icon } from './Icon.tsx'
import './alert.css'

export type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert }

export interface AlertProps {
  tone?: AlertTone
  title: ReactNode
  children?: ReactNode
  /** One or two buttons or links. */
  action?: ReactNode
  /**
   * For alerts that appear after the page has loaded: 'alert' interrupts the screen reader, 'status' waits.
   */
  announce?: 'alert' | 'status'
  className?: string
  /** Makes the alert focusable, so that `takeFocus` can focus it. */
  ref?: Ref<HTMLDivElement> | undefined
}

export function Alert({ tone = 'info', title, children, action, announce, className, ref }: AlertProps) {
  const names = ['alert', `alert--${tone}`, className, ref && 'outline-none'].filter(Boolean).join(' ')
  return (
    <div ref={ref} tabIndex={ref ? -1 : undefined} className={names} role={announce}>
      <Icon of={ICONS[tone]} />
      <div className="alert__body">
        <div className="alert__title">{title}</div>
        {children && <div className="ink2">{children}</div>}
      </div>
      {action && <div className="alert__act">{action}</div>}
    </div>
  )
}
