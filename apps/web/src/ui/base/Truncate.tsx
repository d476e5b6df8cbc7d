/**
 * A name on one line, in its own direction and at the side where the page begins. It is clipped itself: so the ellipsis
 * stands at the end of the name, whichever side that is.
 */
export function Truncate({ children }: { children: string }) {
  return (
    <bdi className="one-line" title={children}>
      {children}
    </bdi>
  )
}
