import Search from 'lucide-react/icons/search'
import type { ComponentProps } from 'react'
import { Icon } from '../base/Icon.tsx'
import '../base/kbd.css'
import './shell.css'

/** Looks like a search field, opens the palette. The keys are drawn, not read: aria-keyshortcuts says them. */
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

/** The trigger of the user menu. */
export function AvatarButton({ label, children, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button type="button" className="me" aria-label={label} {...rest}>
      {children}
    </button>
  )
}
