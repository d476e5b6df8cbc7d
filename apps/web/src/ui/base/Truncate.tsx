/**
 * A name on one line in its own text direction, aligned with the page. The element itself is clipped, so that
 * the ellipsis is at the end of the name in both directions.
 */
export function Truncate({ children }: { children: string }) {
  return (
    <bdi className="one-line" title={children}>
      {children}
    </bdi>
  )
}
