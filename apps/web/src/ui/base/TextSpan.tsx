import type { ReactNode } from 'react'

/**
 * Wraps a text in its own element. Browsers that translate the page replace text nodes; React can still
 * change the text of an element, but not a removed text node.
 */
export function TextSpan({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <span>{children}</span> : children
}
