import type { ReactNode } from 'react'
import { useFailureTitle } from '../../lib/failure-title.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { AuthHeader } from '../../ui/layout/AuthLayout.tsx'

/** The heading of a screen that failed, instead of the route's. It takes the focus, because what was pressed is gone. */
export function FailureHeader({ title, children }: { title: string; children?: ReactNode }) {
  useFailureTitle(title)
  return (
    <div className="outline-none" role="alert" tabIndex={-1} ref={takeFocus}>
      <AuthHeader title={title}>{children}</AuthHeader>
    </div>
  )
}
