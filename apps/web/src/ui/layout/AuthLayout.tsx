import type { ReactNode } from 'react'
import { Brand } from '../base/Logo.tsx'

interface LayoutProps {
  brand: string
  brandHref: string
  /** Links at the bottom. */
  footer?: ReactNode
  /** Text below the card. */
  after?: ReactNode
  children: ReactNode
}

/** An animated background with the logo and a card. */
export function AuthLayout({ brand, brandHref, footer, after, children }: LayoutProps) {
  return (
    <div className="auth">
      <main className="auth__col">
        <Brand name={brand} href={brandHref} />
        {children}
        {after}
      </main>
      {footer && <footer className="auth__foot">{footer}</footer>}
    </div>
  )
}

export function AuthCard({ children }: { children: ReactNode }) {
  return <div className="auth__card">{children}</div>
}

/** The page's h1 with a text below. */
export function AuthHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="auth__head">
      <h1>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  )
}

/** "or" between two sign-in methods. */
export function Or({ children }: { children: ReactNode }) {
  return <div className="or">{children}</div>
}
