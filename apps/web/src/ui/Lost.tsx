import type { ReactNode } from 'react'
import { Mark } from './Mark.tsx'

interface LostProps {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** In a frame, which has the page's main part and its h1. */
  inside?: boolean
}

/** The mark has lost its cap. One sentence, one way on. */
export function Lost({ title, children, action, inside }: LostProps) {
  const Box = inside ? 'div' : 'main'
  const Heading = inside ? 'h2' : 'h1'
  return (
    <Box className={inside ? 'lost lost--inside' : 'lost'}>
      <Mark size={48} lost />
      <Heading className="t20">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </Box>
  )
}
