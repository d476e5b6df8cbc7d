import { type ReactNode, useEffect, useState } from 'react'

/** One bar in the shape of what is coming. Widths and heights are CSS lengths. */
export function Skeleton({ width, height, round }: { width?: string; height?: string; round?: boolean }) {
  return (
    <span
      className="sk"
      aria-hidden="true"
      style={{ width, height, borderRadius: round ? '50%' : undefined }}
    />
  )
}

/** Holds back what it wraps for 150 ms, so that a quick answer never flickers through a skeleton. */
export function AfterPause({ children, pause = 150 }: { children: ReactNode; pause?: number }) {
  const [due, setDue] = useState(false)
  // A clock is outside React; an effect is the only way to hear it.
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), pause)
    return () => clearTimeout(timer)
  }, [pause])
  return <div className={due ? undefined : 'invisible'}>{children}</div>
}

/** Names a loading region for screen readers while skeletons stand in for it. */
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
