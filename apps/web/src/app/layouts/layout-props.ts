import type { ReactNode } from 'react'
import type { Layout } from '../routes.ts'

/** What every layout is handed: the page's title is its h1 where the layout draws one. */
export type LayoutProps = { layout: Layout; path: string; title: string; children: ReactNode }
