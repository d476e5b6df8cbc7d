import { Children, type ReactNode } from 'react'
import './numbered.css'
import './onboarding.css'

/** Instructions in order, each with its number in a ring. */
export function Numbered({ children }: { children: ReactNode }) {
  return (
    <ol className="numbered">
      {Children.toArray(children).map((child, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is all they have
        <li key={index}>
          <span className="step__n" aria-hidden="true">
            {index + 1}
          </span>
          <div className="stack stack-3">{child}</div>
        </li>
      ))}
    </ol>
  )
}

/** White in both themes: a camera needs the contrast. */
export function QrFrame({ src, alt }: { src: string; alt: string }) {
  return (
    <div className="qr">
      <img src={src} alt={alt} width={142} height={142} />
    </div>
  )
}
