import { Link } from './Link.tsx'

/** The logo. `lost` omits its top slab, for the 404 page. */
export function Logo({ size = 24, lost }: { size?: number; lost?: boolean }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {!lost && <rect className="cap" x="4" y="3" width="16" height="5" rx="1" />}
      <rect className="die" x="7" y="9.5" width="10" height="5" rx="1" />
      <rect className="base" x="2" y="16" width="20" height="5" rx="1" />
    </svg>
  )
}

export function Brand({ name, href, size = 28 }: { name: string; href?: string; size?: number }) {
  const inner = (
    <>
      <Logo size={size} />
      {name}
    </>
  )
  return href ? (
    <Link className="brand" href={href}>
      {inner}
    </Link>
  ) : (
    <span className="brand">{inner}</span>
  )
}
