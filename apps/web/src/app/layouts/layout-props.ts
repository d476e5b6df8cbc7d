import type { ReactNode } from 'react'
import type { Layout } from '../routes.ts'

/** Props of every layout. App layouts show the title as the page's h1. */
export type LayoutProps = { layout: Layout; path: string; title: string; children: ReactNode }
