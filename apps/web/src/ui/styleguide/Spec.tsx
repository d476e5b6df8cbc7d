import type { ReactNode } from 'react'
import { Card } from '../base/Card.tsx'

export function Spec({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <Card className={wide ? 'spec spec--wide' : 'spec'}>
      <h2>{title}</h2>
      {children}
    </Card>
  )
}
