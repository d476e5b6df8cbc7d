import KeyRound from 'lucide-react/icons/key-round'
import type { ReactNode } from 'react'
import { Icon } from '../../../ui/base/Icon.tsx'

const google = (
  <g fill="none" strokeWidth="2.6">
    <path d="M3.1 5.2A5.7 5.7 0 0 1 12 4" stroke="#e5483b" />
    <path d="M3.1 10.8a5.7 5.7 0 0 1 0-5.6" stroke="#f2b51d" />
    <path d="M11.7 12.3a5.7 5.7 0 0 1-8.6-1.5" stroke="#3c9d4e" />
    <path d="M8.2 8h5.5a5.7 5.7 0 0 1-2 4.3" stroke="#3f7de0" />
  </g>
)

const microsoft = (
  <>
    <path d="M1 1h6.4v6.4H1z" fill="#e8552f" />
    <path d="M8.6 1H15v6.4H8.6z" fill="#7fb52b" />
    <path d="M1 8.6h6.4V15H1z" fill="#2a9fe0" />
    <path d="M8.6 8.6H15V15H8.6z" fill="#f6b620" />
  </>
)

const github = (
  <path
    fill="currentColor"
    fillRule="evenodd"
    d="M8 .4a7.6 7.6 0 0 1 2.5 14.8V12.9c0-.8-.2-1.4-.6-1.8 1.9-.2 3.2-1 3.2-3.4 0-.8-.3-1.5-.8-2.1.2-.6.2-1.3-.1-2-.8 0-1.5.3-2.1.8a8 8 0 0 0-4.2 0c-.6-.5-1.3-.8-2.1-.8-.3.7-.3 1.4-.1 2-.5.6-.8 1.3-.8 2.1 0 2.4 1.3 3.2 3.2 3.4-.3.3-.5.7-.6 1.2-1 .4-1.8.1-2.4-.9-.3-.4-.7-.7-1.2-.7.9.4 1 1.1 1.4 1.7.4.6 1.1.9 2.2.7v2.1A7.6 7.6 0 0 1 8 .4Z"
  />
)

const drawings: Record<string, ReactNode> = { google, microsoft, github }

/** The logo of a provider, or a key icon for an unknown one. */
export function ProviderLogo({ of: provider }: { of: string }) {
  const drawing = Object.hasOwn(drawings, provider) ? drawings[provider] : undefined
  if (!drawing) return <Icon of={KeyRound} />
  return (
    <svg className="i16" viewBox="0 0 16 16" aria-hidden="true">
      {drawing}
    </svg>
  )
}
