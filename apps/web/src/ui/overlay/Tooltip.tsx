import * as Radix from 'radix-ui/tooltip'
import { type ReactElement, type ReactNode, useState } from 'react'
import { usePortal } from './portal.ts'
import './tooltip.css'

export interface TooltipProps {
  text: ReactNode
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** A control with its own name; the tooltip may only repeat it or add to it. */
  children: ReactElement
}

export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const container = usePortal(opener)
  return (
    <Radix.Provider delayDuration={400}>
      <Radix.Root>
        <Radix.Trigger asChild ref={setOpener}>
          {children}
        </Radix.Trigger>
        <Radix.Portal container={container}>
          <Radix.Content className="tip" side={mirrored(side)} sideOffset={6} collisionPadding={8}>
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}

function mirrored(side: 'top' | 'bottom' | 'left' | 'right') {
  if (document.documentElement.dir !== 'rtl') return side
  if (side === 'left') return 'right'
  return side === 'right' ? 'left' : side
}
