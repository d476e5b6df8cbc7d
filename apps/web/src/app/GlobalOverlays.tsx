import { handleFailure } from '../lib/api/failure.ts'
import { closeDialog, dialog } from '../lib/dialog.ts'
import { useT } from '../lib/i18n/translate.ts'
import { overlay } from '../lib/loading.ts'
import { useSession } from '../lib/session/store.ts'
import { useStore } from '../lib/store.ts'
import { useLazyComponent } from './use-lazy-component.ts'

const loadDialog = () => import('./ShellDialog.tsx').then(m => m.ShellDialog)
const loadBanner = () => import('../features/impersonation/SupportBanner.tsx').then(m => m.SupportBanner)
const loadKeys = () => import('./palette/Keys.tsx').then(m => m.Keys)
const loadOverlay = () => import('../ui/overlay/LoadingOverlay.tsx').then(m => m.LoadingOverlay)

/**
 * Overlays that can cover every screen, loaded when first needed. If the dialog's code fails to load, the
 * dialog is closed and the failure shown; the other overlays are optional and left out.
 */
export function GlobalOverlays() {
  const t = useT()
  const Dialog = useLazyComponent(useStore(dialog).open, loadDialog, onDialogFailed)
  const user = useSession()
  const Keys = useLazyComponent(user !== null, loadKeys, console.error)
  const Overlay = useLazyComponent(useStore(overlay) > 0, loadOverlay, console.error)
  const Banner = useLazyComponent(Boolean(user?.support_until), loadBanner, handleFailure)
  return (
    <>
      {Banner && <Banner />}
      {Dialog && <Dialog />}
      {Keys && <Keys />}
      {Overlay && <Overlay label={t('global.loading')} />}
    </>
  )
}

function onDialogFailed(error: unknown) {
  closeDialog()
  handleFailure(error)
}
