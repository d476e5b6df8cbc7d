import { type ReactNode, useEffect, useState } from 'react'

/** A placeholder bar. Width and height are CSS lengths. */
export function Skeleton({ width, height, round }: { width?: string; height?: string; round?: boolean }) {
  return (
    <span
      className="sk"
      aria-hidden="true"
      style={{ width, height, borderRadius: round ? '50%' : undefined }}
    />
  )
}

/** Hides its children for 150 ms, so that fast responses show no skeleton. */
export function AfterPause({ children, pause = 150 }: { children: ReactNode; pause?: number }) {
  const [due, setDue] = useState(false)
  // An effect, because timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), pause)
    return () => clearTimeout(timer)
  }, [pause])
  return <div className={due ? undefined : 'invisible'}>{children}</div>
}

/** Announces a loading region to screen readers while it shows skeletons. */
export function Loading({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className="sr" role="status">
        {label}
      </span>
      <AfterPause>{children}</AfterPause>
    </div>
  )
}
