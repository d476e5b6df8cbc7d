import { type ReactNode, useId } from 'react'
import './card.css'

interface SectionProps {
  title: ReactNode
  /** Explains the setting; shown on the left. */
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

/** A heading with a text and the actions of the following content. */
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
