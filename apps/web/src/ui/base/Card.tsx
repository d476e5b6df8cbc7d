import type { ComponentProps } from 'react'
import './card.css'

/** A hairline and no shadow. Never a card inside a card. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={className ? `card ${className}` : 'card'} {...rest} />
}
