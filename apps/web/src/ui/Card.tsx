import type { ComponentProps, ReactNode } from 'react'
import './panel.css'

/** A hairline and no shadow. Never a card inside a card. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={className ? `card ${className}` : 'card'} {...rest} />
}

export function CardHead({
  title,
  children,
  level = 2,
}: {
  title: ReactNode
  children?: ReactNode
  level?: 2 | 3
}) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="card__head">
      <Heading className="h2">{title}</Heading>
      {children}
    </div>
  )
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={className ? `card__body ${className}` : 'card__body'} {...rest} />
}

export function CardPad({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={className ? `card__pad ${className}` : 'card__pad'} {...rest} />
}

export function CardFoot({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={className ? `card__foot ${className}` : 'card__foot'} {...rest} />
}
