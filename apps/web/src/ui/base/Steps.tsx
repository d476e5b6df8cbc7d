import type { ReactNode } from 'react'
import './steps.css'

/** Numbered instructions. */
export function Steps({ steps }: { steps: readonly ReactNode[] }) {
  return (
    <ol className="numbered">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other key
        <li key={index}>
          <span className="numbered__n" aria-hidden="true">
            {index + 1}
          </span>
          <div className="stack stack-3">{step}</div>
        </li>
      ))}
    </ol>
  )
}

/** A QR code image. Describe its content in `alt`, and show it as text too. */
export const QrCode = ({ src, alt }: { src: string; alt: string }) => (
  <img className="qr" src={src} alt={alt} width={176} height={176} />
)
