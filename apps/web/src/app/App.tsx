import { lazy, Suspense } from 'react'
import { dialog } from '../lib/dialog.ts'
import { useT } from '../lib/i18n/translate.ts'
import { overlay } from '../lib/loading.ts'
import { useStore } from '../lib/store.ts'
import { LinkRenderer } from '../ui/Link.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { AppLink } from './AppLink.tsx'
import { Page } from './Page.tsx'

const ShellDialog = lazy(() => import('./ShellDialog.tsx').then(m => ({ default: m.ShellDialog })))
const LoadingOverlay = lazy(() =>
  import('../ui/LoadingOverlay.tsx').then(m => ({ default: m.LoadingOverlay })),
)

/** The page shell: the screen, and what can lie over every screen. */
export function App() {
  const t = useT()
  return (
    <LinkRenderer value={AppLink}>
      <Page />
      <Over />
      <Toasts
        texts={{ region: t('global.toast.region'), one: t('global.toast.one'), close: t('global.close') }}
      />
    </LinkRenderer>
  )
}

function Over() {
  const t = useT()
  const asking = useStore(dialog).open
  const loading = useStore(overlay) > 0
  return (
    <Suspense>
      {asking && <ShellDialog />}
      {loading && <LoadingOverlay label={t('global.loading')} />}
    </Suspense>
  )
}
