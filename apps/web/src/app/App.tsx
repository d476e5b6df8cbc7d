import { useT } from '../lib/i18n/translate.ts'
import { LinkRenderer } from '../ui/base/Link.tsx'
import { Toasts } from '../ui/overlay/Toasts.tsx'
import { AppLink } from './AppLink.tsx'
import { GlobalOverlays } from './GlobalOverlays.tsx'
import { Page } from './Page.tsx'

/** The root component: the current screen, and overlays that can cover every screen. */
export function App() {
  const t = useT()
  return (
    <LinkRenderer value={AppLink}>
      <Page />
      <GlobalOverlays />
      <Toasts
        texts={{ region: t('global.toast.region'), one: t('global.toast.one'), close: t('global.close') }}
      />
    </LinkRenderer>
  )
}
