import type { LucideIcon } from 'lucide-react'
import type { SVGProps } from 'react'

export type IconType = LucideIcon

type Props = Omit<SVGProps<SVGSVGElement>, 'ref'> & {
  of: IconType
  /** 16 beside text, 20 alone, 12 inside marks. */
  size?: 12 | 16 | 20
  /** Arrows, chevrons and send mirror in right to left; nothing else does. */
  flip?: boolean
}

/** Import the drawing itself from 'lucide-react/icons/<name>', never from the whole set. */
export function Icon({ of: Drawing, size = 16, flip, className, ...rest }: Props) {
  const names = [`i${size}`, flip && 'flip', className].filter(Boolean).join(' ')
  return <Drawing aria-hidden={rest['aria-label'] ? undefined : true} className={names} {...rest} />
}
