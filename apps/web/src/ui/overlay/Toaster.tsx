import Check from 'lucide-react/icons/check'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import X from 'lucide-react/icons/x'
import * as Radix from 'radix-ui/toast'
import { useLayoutEffect, useRef } from 'react'
import { buttonClass } from '../base/button-class.ts'
import { Icon } from '../base/Icon.tsx'
import { dismiss, type Toast } from './toast.ts'
import { useToastFocus } from './use-toast-focus.ts'
import './toast.css'

export interface ToasterTexts {
  /** Name of the region; {hotkey} is replaced by the key. */
  region: string
  /** Name of a single toast, for screen readers. */
  one: string
  close: string
}

/** Icons of the variants. The text must not depend on icon or colour. */
const ICONS = { default: Check, success: CircleCheck, info: CircleCheck, error: CircleAlert }

export function Toaster({ toasts, texts }: { toasts: readonly Toast[]; texts: ToasterTexts }) {
  const viewport = useRef<HTMLOListElement>(null)
  const newest = toasts[0]?.id

  // Show the popover again for each toast, so that it is above a dialog opened since.
  useLayoutEffect(() => {
    const list = viewport.current
    if (!newest || !list?.showPopover) return
    list.popover = 'manual'
    if (list.matches(':popover-open')) list.hidePopover()
    list.showPopover()
  }, [newest])

  const returnFocus = useToastFocus(viewport)

  return (
    <Radix.Provider duration={5000} swipeDirection="right" swipeThreshold={50} label={texts.one}>
      {toasts.map(one => (
        <ToastItem key={one.id} toast={one} close={texts.close} onClosed={returnFocus} />
      ))}
      <Radix.Viewport ref={viewport} className="toasts" hotkey={['F8']} label={texts.region} />
    </Radix.Provider>
  )
}

function ToastItem({ toast, close, onClosed }: { toast: Toast; close: string; onClosed: () => void }) {
  const { id, open, title, description, action, variant = 'default' } = toast
  return (
    <Radix.Root
      className={`toast toast--${variant}`}
      open={open}
      type={variant === 'error' ? 'foreground' : 'background'}
      onOpenChange={next => {
        if (next) return
        dismiss(id)
        onClosed()
      }}
    >
      <Icon of={ICONS[variant]} />
      <div className="toast__body">
        {title && <Radix.Title className="toast__title">{title}</Radix.Title>}
        {/* Radix announces both texts without a separator. */}
        {title && description && <span className="sr">{/[.!?…]$/.test(title) ? ' ' : '. '}</span>}
        {description && (
          <Radix.Description asChild>
            <p>{description}</p>
          </Radix.Description>
        )}
        {action && (
          <div className="toast__act">
            <Radix.Action
              altText={action.label}
              className={buttonClass({ variant: 'secondary', size: 'sm' })}
              onClick={action.onSelect}
            >
              {action.label}
            </Radix.Action>
          </div>
        )}
      </div>
      <Radix.Close className="x" aria-label={close}>
        <Icon of={X} />
      </Radix.Close>
    </Radix.Root>
  )
}
