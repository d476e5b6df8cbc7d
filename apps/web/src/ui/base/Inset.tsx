import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import './inset.css'

/** A sunken place for what belongs to the words around it: a sum, a list of what goes. */
export function Inset({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={className ? `well ${className}` : 'well'}>{children}</div>
}

interface SecretProps {
  value: string
  /** To be read and written down; on a phone it has the line for itself. */
  large?: boolean
  copyLabel: string
  copiedLabel: string
  /** Said when the browser refuses the clipboard: the text is selected instead. */
  refusedText: string
  /** After it lies on the clipboard. */
  onCopied?: () => void
  children?: ReactNode
}

/** A key or a code to be stored elsewhere, with a button that copies it. Always left to right. */
export function Secret({
  value,
  large,
  copyLabel,
  copiedLabel,
  refusedText,
  onCopied,
  children,
}: SecretProps) {
  const [copied, setCopied] = useState(false)
  const [refused, setRefused] = useState(false)
  const [code, setCode] = useState<HTMLElement | null>(null)

  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      setRefused(false)
      onCopied?.()
    } catch {
      setCopied(false)
      setRefused(true)
      // Without permission the person can still copy by hand, so bring them half the way.
      if (code) getSelection()?.selectAllChildren(code)
    }
  }

  return (
    <div className="stack stack-1">
      <div className={`secret${large ? ' secret--lg' : ''}${/^\w+$/.test(value) ? ' secret--word' : ''}`}>
        <code ref={setCode}>{value}</code>
        {children}
        <Button size="sm" icon={<Icon of={copied ? Check : Copy} />} onClick={copy}>
          {copied ? copiedLabel : copyLabel}
        </Button>
      </div>
      {refused && (
        <p className="t13 ink2" role="alert">
          {refusedText}
        </p>
      )}
    </div>
  )
}
