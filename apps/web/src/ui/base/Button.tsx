import { type ComponentProps, type MouseEvent, type ReactNode, useState } from 'react'
import { type ButtonLook, buttonClass } from './button-class.ts'
import { Link, type LinkProps } from './Link.tsx'
import { Spinner } from './Spinner.tsx'
import { TextSpan } from './TextSpan.tsx'

type Content = { icon?: ReactNode; iconEnd?: ReactNode }

export type ButtonProps = Omit<ComponentProps<'button'>, 'onClick'> &
  ButtonLook &
  Content & {
    /** Shows progress, keeps the width and ignores presses. */
    loading?: boolean
    /** Replaces the label while loading, for example "Saving". */
    loadingLabel?: string
    /** If it returns a promise, the button is loading until the promise settles. */
    onClick?: (event: MouseEvent<HTMLButtonElement>) => unknown
  }

export function Button(props: ButtonProps) {
  const { variant, size, block, square, icon, iconEnd, loading, loadingLabel, ...rest } = props
  const { className, children, onClick, type = 'button', ...native } = rest
  const [pending, setPending] = useState(false)
  const busy = loading || pending

  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    // Not `disabled`, because that would remove the focus.
    if (busy) return event.preventDefault()
    const result = onClick?.(event)
    if (!(result instanceof Promise)) return
    setPending(true)
    result.finally(() => setPending(false))
  }

  return (
    <button
      type={type}
      className={buttonClass({ variant, size, block, square }, join(className, busy && 'is-loading'))}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={handleClick}
      {...native}
    >
      <span className="btn__label" data-busy={busy || undefined}>
        {icon}
        <TextSpan>{children}</TextSpan>
        {iconEnd}
      </span>
      {(busy || loadingLabel) && (
        <span className="btn__busy" data-busy={busy || undefined}>
          <Spinner />
          {loadingLabel}
        </span>
      )}
    </button>
  )
}

export type ButtonLinkProps = LinkProps & ButtonLook & Content

export function ButtonLink({ variant, size, block, square, icon, iconEnd, ...rest }: ButtonLinkProps) {
  const { className, children, ...native } = rest
  return (
    <Link className={buttonClass({ variant, size, block, square }, className)} {...native}>
      {icon}
      <TextSpan>{children}</TextSpan>
      {iconEnd}
    </Link>
  )
}

const join = (...names: Array<string | false | undefined>) => names.filter(Boolean).join(' ') || undefined
