import type { ReactNode } from 'react'
import { Brand, Logo } from '../base/Logo.tsx'

interface NotFoundPanelProps {
  title: ReactNode
  /** The name of the product, where no frame says it. */
  brand?: string
  children?: ReactNode
  action?: ReactNode
  /** In a frame, which has the page's main part and its h1. */
  inside?: boolean
}

/** The mark has lost its cap. One sentence, one way on. */
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
