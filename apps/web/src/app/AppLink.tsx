import type { MouseEvent } from 'react'
import { navigate } from '../lib/navigate.ts'
import type { LinkProps } from '../ui/base/Link.tsx'
import { prefetch } from './prefetch.ts'

/**
 * The anchor of the design system's Link: navigates without a page load, and loads the target's code on hover
 * and focus.
 */
export function AppLink({ href, onClick, onPointerEnter, onFocus, ...rest }: LinkProps) {
  // The server renders pages below /api and /auth.
  const ours = href.startsWith('/') && !/^\/(api|auth)\//.test(href)
  const plainLink = !ours || rest.target !== undefined || rest.download !== undefined

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
    if (event.defaultPrevented || plainLink || elsewhere) return
    event.preventDefault()
    navigate(href)
  }

  return (
    <a
      {...rest}
      href={href}
      onClick={follow}
      onPointerEnter={event => {
        onPointerEnter?.(event)
        if (!plainLink) prefetch(href)
      }}
      onFocus={event => {
        onFocus?.(event)
        if (!plainLink) prefetch(href)
      }}
    />
  )
}
