import { useT } from '../../lib/i18n/translate.ts'
import { useWide } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { slotPlace } from '../../lib/slots.tsx'
import { Brand } from '../../ui/base/Logo.tsx'
import '../../ui/layout/onboarding.css'
import type { LayoutProps } from './layout-props.ts'

/**
 * A side list of steps, a skip button and pagination. The screen fills them with `<Slot name="steps">`
 * (buttons of class `step`), `<Slot name="skip">` and `<Slot name="pagination">`, and renders its own h1.
 */
export function OnboardingLayout({ children }: LayoutProps) {
  const t = useT()
  const wide = useWide(721)
  return (
    <div className="onb">
      <aside className="onb__side">
        <Brand name={t('global.app')} href={paths.welcome} size={24} />
        <nav className="steps" aria-label={t('account.nav.steps')} ref={slotPlace('steps')} />
        {!wide && <div ref={slotPlace('skip')} />}
      </aside>
      <div className="onb__main">
        {/* Always rendered: the layout's grid has three rows. */}
        <div className={wide ? 'onb__top' : undefined} ref={wide ? slotPlace('skip') : undefined} />
        <main className="onb__body">{children}</main>
        <footer className="onb__foot" ref={slotPlace('pagination')} />
      </div>
    </div>
  )
}
