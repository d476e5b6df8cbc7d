import type { ReactNode } from 'react'
import './steps.css'

/** What to do in order, one step below the other. */
export function Steps({ steps }: { steps: readonly ReactNode[] }) {
  return (
    <ol className="numbered">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number
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

/** A QR code that came as an image. Say in words what it holds, and offer the same as text. */
export const QrCode = ({ src, alt }: { src: string; alt: string }) => (
  <img className="qr" src={src} alt={alt} width={176} height={176} />
)
