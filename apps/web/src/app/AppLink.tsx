import type { MouseEvent } from 'react'
import { navigate } from '../lib/navigate.ts'
import type { LinkProps } from '../ui/base/Link.tsx'
import { prefetch } from './prefetch.ts'

/** The anchor behind the design system's Link: goes there without loading the page, and fetches ahead what is pointed at. */
export function AppLink({ href, onClick, onPointerEnter, onFocus, ...rest }: LinkProps) {
  // Below /api and /auth are pages of the server's.
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
