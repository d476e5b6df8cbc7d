import type { ReactNode } from 'react'

export function Spec({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={wide ? 'card spec spec--wide' : 'card spec'}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
