import type { ReactNode } from 'react'

/**
 * A text beside other elements, in an element of its own. A browser that translates the page replaces text nodes;
 * React can still change the text of an element, but not a text node that is gone.
 */
export function TextSpan({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <span>{children}</span> : children
}
