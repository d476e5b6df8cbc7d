import type { Layout } from '../routes.ts'
import { present, type View, view } from '../view.ts'
import { AuthLayout } from './AuthLayout.tsx'
import type { LayoutProps } from './layout-props.ts'

// One view for both, so that the rail stays mounted between app and account screens.
const appFrame = view<LayoutProps>(() => import('./AppLayout.tsx').then(m => m.AppLayout), ['account'])

export const layoutViews: Record<Layout, View<LayoutProps>> = {
  auth: present<LayoutProps>(AuthLayout),
  app: appFrame,
  account: appFrame,
  onboarding: view<LayoutProps>(
    () => import('./OnboardingLayout.tsx').then(m => m.OnboardingLayout),
    ['account'],
  ),
}
