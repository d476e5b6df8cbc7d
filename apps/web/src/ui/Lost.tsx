import type { ReactNode } from 'react'
import { Brand, Mark } from './Mark.tsx'

interface LostProps {
  title: ReactNode
  /** The name of the product, where no frame says it. */
  brand?: string
  children?: ReactNode
  action?: ReactNode
  /** In a frame, which has the page's main part and its h1. */
  inside?: boolean
}

/** The mark has lost its cap. One sentence, one way on. */
export function Lost({ title, brand, children, action, inside }: LostProps) {
  const Box = inside ? 'div' : 'main'
  const Heading = inside ? 'h2' : 'h1'
  return (
    <Box className={inside ? 'lost lost--inside' : 'lost'}>
      {brand && !inside && <Brand name={brand} href="/" />}
      <Mark size={48} lost />
      <Heading className="t20">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </Box>
  )
}
