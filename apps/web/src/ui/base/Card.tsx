import type { ComponentProps } from 'react'
import './card.css'

/** Has a border and no shadow. Do not nest cards. */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={className ? `card ${className}` : 'card'} {...rest} />
}
