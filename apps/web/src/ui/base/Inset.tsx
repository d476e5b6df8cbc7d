import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import './inset.css'

/** A tinted area for details of the surrounding text, for example a total. */
export function Inset({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={className ? `well ${className}` : 'well'}>{children}</div>
}

interface SecretProps {
  value: string
  /** For codes that users write down; has its own line on phones. */
  large?: boolean
  copyLabel: string
  copiedLabel: string
  /** Shown when the browser blocks the clipboard: the text is selected instead. */
  refusedText: string
  /** Called after the value was copied. */
  onCopied?: () => void
  children?: ReactNode
}

/** A key or code with a copy button. Always left to right. */
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
      // Select the text so that the user can copy it.
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
