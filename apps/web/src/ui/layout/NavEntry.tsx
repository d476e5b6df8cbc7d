import { Icon } from '../base/Icon.tsx'
import { Link } from '../base/Link.tsx'
import type { NavItem } from './shell-types.ts'

interface Props {
  item: NavItem
  className?: string
  buttonClassName?: string
  size?: 16 | 20
  /** Shows only the icon; the label becomes its tooltip. */
  bare?: boolean
  onPress?: () => void
}

export function NavEntry({ item, className, buttonClassName = className, size = 20, bare, onPress }: Props) {
  const inner = (
    <>
      <Icon of={item.icon} size={size} />
      {bare ? <span className="rail__tip">{item.label}</span> : item.label}
    </>
  )
  if (item.href === undefined) {
    return (
      <button
        type="button"
        className={buttonClassName}
        onClick={() => {
          onPress?.()
          item.onSelect?.()
        }}
      >
        {inner}
      </button>
    )
  }
  return (
    <Link
      href={item.href}
      className={className}
      aria-current={item.current ? 'page' : undefined}
      onClick={onPress}
    >
      {inner}
    </Link>
  )
}
