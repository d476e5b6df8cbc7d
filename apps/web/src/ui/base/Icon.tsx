import type { LucideIcon } from 'lucide-react'
import type { SVGProps } from 'react'

export type IconType = LucideIcon

type Props = Omit<SVGProps<SVGSVGElement>, 'ref'> & {
  of: IconType
  /** 16 beside text, 20 alone, 12 in small badges. */
  size?: 12 | 16 | 20
  /** Mirrored in right-to-left languages; for arrows, chevrons and send only. */
  flip?: boolean
}

/** Import the icon from 'lucide-react/icons/<name>', not from the whole set. */
export function Icon({ of: Drawing, size = 16, flip, className, ...rest }: Props) {
  const names = [`i${size}`, flip && 'flip', className].filter(Boolean).join(' ')
  return <Drawing aria-hidden={rest['aria-label'] ? undefined : true} className={names} {...rest} />
}
