import { language, languages, setLanguage } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { slotPlace } from '../../lib/slots.tsx'
import { useStore } from '../../lib/store.ts'
import { AuthCard, AuthLayout as AuthFrame } from '../../ui/layout/AuthLayout.tsx'
import type { LayoutProps } from './layout-props.ts'

/** A card of 400 pixels on an animated background; the screen renders its own heading. */
export function AuthLayout({ children }: LayoutProps) {
  const t = useT()
  return (
    <AuthFrame
      brand={t('global.app')}
      brandHref={paths.home}
      footer={<Languages />}
      after={<p className="t13 ink2 center empty:hidden" ref={slotPlace('after')} />}
    >
      <AuthCard>{children}</AuthCard>
    </AuthFrame>
  )
}

/**
 * Language buttons. The choice is stored in this browser and replaced by the user's language after the
 * sign-in.
 */
function Languages() {
  const t = useT()
  const now = useStore(language)
  return (
    <fieldset className="row gap-5">
      <legend className="sr">{t('global.language')}</legend>
      {Object.entries(languages).map(([tag, name]) => (
        <button
          key={tag}
          type="button"
          lang={tag}
          className={tag === now ? 'med' : undefined}
          aria-pressed={tag === now}
          onClick={() => void setLanguage(tag, { remember: true })}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
