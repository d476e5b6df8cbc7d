import type { ReactNode } from 'react'
import { Brand, Logo } from '../base/Logo.tsx'

interface NotFoundPanelProps {
  title: ReactNode
  /** The product name; shown only outside the app's frame. */
  brand?: string
  children?: ReactNode
  action?: ReactNode
  /** Inside the app's frame, which has its own main and h1. */
  inside?: boolean
}

/** A page-level message with the logo missing its top slab. */
export function NotFoundPanel({ title, brand, children, action, inside }: NotFoundPanelProps) {
  const Box = inside ? 'div' : 'main'
  const Heading = inside ? 'h2' : 'h1'
  return (
    <Box className={inside ? 'lost lost--inside' : 'lost'}>
      {brand && !inside && <Brand name={brand} href="/" />}
      <Logo size={48} lost />
      <Heading className="t20">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </Box>
  )
}
