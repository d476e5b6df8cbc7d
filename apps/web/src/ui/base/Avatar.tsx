import type { ReactNode } from 'react'
import './avatar.css'

export interface AvatarProps {
  name: string
  src?: string | null
  size?: 'sm' | 'md' | 'lg'
  /** In place of initials: someone invited who has no name yet. */
  icon?: ReactNode
  /** The picture can't be shown. */
  onError?: () => void
}

/** Beside a name it is decoration, so it stays silent. */
export function Avatar({ name, src, size = 'sm', icon, onError }: AvatarProps) {
  const names = ['avatar', size !== 'sm' && `avatar--${size}`, icon && 'avatar--open']
    .filter(Boolean)
    .join(' ')
  const letters = src || icon ? undefined : initials(name)
  return (
    // The letters are drawn by the style sheet: a button around them is named by its label alone.
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
