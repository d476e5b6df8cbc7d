import { type ReactNode, useId } from 'react'
import './card.css'

interface SectionProps {
  title: ReactNode
  /** Why it is here: the reason on the left, the control on the right. */
  text?: ReactNode
  children: ReactNode
}

export function Section({ title, text, children }: SectionProps) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section__text">
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}

/** A bar with a heading, a sentence and the actions of what follows. */
export function SectionHeader({
  title,
  text,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="row between">
      <div className="grow">
        <h2 className="h2">{title}</h2>
        {text && <p className="t13 ink3">{text}</p>}
      </div>
      {children}
    </div>
  )
}
