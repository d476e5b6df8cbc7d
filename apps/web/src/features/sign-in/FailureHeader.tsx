import type { ReactNode } from 'react'
import { useFailureTitle } from '../../lib/failure-title.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { AuthHeader } from '../../ui/layout/AuthLayout.tsx'

/** Replaces the title of the route, and takes the focus because the pressed button is gone. */
export function FailureHeader({ title, children }: { title: string; children?: ReactNode }) {
  useFailureTitle(title)
  return (
    <div className="outline-none" role="alert" tabIndex={-1} ref={takeFocus}>
      <AuthHeader title={title}>{children}</AuthHeader>
    </div>
  )
}
