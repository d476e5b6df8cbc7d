import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode, Ref } from 'react'
import { Icon } from './Icon.tsx'
import './alert.css'

export type AlertTone = 'info' | 'success' | 'warning' | 'danger'

const DRAWING = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert }

export interface AlertProps {
  tone?: AlertTone
  title: ReactNode
  children?: ReactNode
  /** A button or link, or two. */
  action?: ReactNode
  /** Speak it when it appears after the page was there: 'alert' interrupts, 'status' waits. */
  announce?: 'alert' | 'status'
  className?: string
  /** With `takeFocus` it is read when it comes in the place of what was pressed; without a ref it takes no focus. */
  ref?: Ref<HTMLDivElement> | undefined
}

export function Alert({ tone = 'info', title, children, action, announce, className, ref }: AlertProps) {
  const names = ['alert', `alert--${tone}`, className, ref && 'outline-none'].filter(Boolean).join(' ')
  return (
    <div ref={ref} tabIndex={ref ? -1 : undefined} className={names} role={announce}>
      <Icon of={DRAWING[tone]} />
      <div className="alert__body">
        <div className="alert__title">{title}</div>
        {children && <div className="ink2">{children}</div>}
      </div>
      {action && <div className="alert__act">{action}</div>}
    </div>
  )
}
