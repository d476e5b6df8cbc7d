import Search from 'lucide-react/icons/search'
import type { ComponentProps } from 'react'
import { Icon } from '../base/Icon.tsx'
import '../base/kbd.css'
import './shell.css'

/** Opens the palette; looks like a search field. aria-keyshortcuts announces the keys. */
export function JumpButton({
  label,
  keys,
  ...rest
}: ComponentProps<'button'> & { label: string; keys: string }) {
  return (
    <button type="button" className="jump" aria-label={label} {...rest}>
      <Icon of={Search} />
      <span>{label}</span>
      <span className="kbd" dir="ltr" data-keys={keys} aria-hidden="true" />
    </button>
  )
}

/** The trigger of the avatar menu. */
export function AvatarButton({ label, children, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button type="button" className="me" aria-label={label} {...rest}>
      {children}
    </button>
  )
}
