import type { ReactNode } from 'react'
import './avatar.css'

export interface AvatarProps {
  name: string
  src?: string | null
  size?: 'sm' | 'md' | 'lg'
  /** Replaces the initials, for an invited person without a name. */
  icon?: ReactNode
  /** Called when the image fails to load. */
  onError?: () => void
}

/** Hidden from screen readers, because the name is shown beside it. */
export function Avatar({ name, src, size = 'sm', icon, onError }: AvatarProps) {
  const names = ['avatar', size !== 'sm' && `avatar--${size}`, icon && 'avatar--open']
    .filter(Boolean)
    .join(' ')
  const letters = src || icon ? undefined : initials(name)
  return (
    // CSS draws the initials, so that they do not become part of a button's name.
    <span className={names} data-initials={letters} aria-hidden="true">
      {src ? <img src={src} alt="" width={64} height={64} loading="lazy" onError={onError} /> : icon}
    </span>
  )
}

export function initials(name: string): string {
  const words = name
    .trim()
    .split(/[\s@.]+/)
    .filter(Boolean)
  const picked =
    words.length > 1
      ? [words[0], words.at(-1)].map(word => [...(word ?? '')][0])
      : [...(words[0] ?? '')].slice(0, 2)
  return picked.join('').toLocaleUpperCase()
}
