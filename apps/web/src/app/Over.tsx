import { type ComponentType, useEffect, useState } from 'react'
import { handleFailure } from '../lib/api/failure.ts'
import { closeDialog, dialog } from '../lib/dialog.ts'
import { useT } from '../lib/i18n/translate.ts'
import { overlay } from '../lib/loading.ts'
import { useSession } from '../lib/session/store.ts'
import { useStore } from '../lib/store.ts'

const loadDialog = () => import('./ShellDialog.tsx').then(m => m.ShellDialog)
const loadBanner = () => import('../features/impersonation/SupportBanner.tsx').then(m => m.SupportBanner)
const loadOverlay = () => import('../ui/LoadingOverlay.tsx').then(m => m.LoadingOverlay)

/**
 * What can lie over every screen. Its code comes when it is first wanted; if it can't be fetched, the screen stays as
 * it is: a question that can't be asked is taken back and said, a curtain that can't be drawn is left out.
 */
export function Over() {
  const t = useT()
  const Dialog = useLate(useStore(dialog).open, loadDialog, cantAsk)
  const Overlay = useLate(useStore(overlay) > 0, loadOverlay, console.error)
  const Banner = useLate(Boolean(useSession()?.support_until), loadBanner, handleFailure)
  return (
    <>
      {Banner && <Banner />}
      {Dialog && <Dialog />}
      {Overlay && <Overlay label={t('global.loading')} />}
    </>
  )
}

function cantAsk(error: unknown) {
  closeDialog()
  handleFailure(error)
}

/** A component that is fetched when it is first wanted, and tried again at the next wish when that failed. */
function useLate<P>(
  wanted: boolean,
  load: () => Promise<ComponentType<P>>,
  failed: (error: unknown) => void,
) {
  const [late, setLate] = useState<ComponentType<P> | null>(null)

  // The network is outside React; React.lazy would keep a failure for ever and hand it to the whole page.
  useEffect(() => {
    if (wanted && !late) load().then(component => setLate(() => component), failed)
  }, [wanted, late, load, failed])

  return wanted ? late : null
}
