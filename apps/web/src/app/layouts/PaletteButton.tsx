import { useT } from '../../lib/i18n/translate.ts'
import { JumpButton } from '../../ui/layout/TopBar.tsx'
import { isApple, palette } from '../palette/open.ts'
import { paletteView } from '../palette/view.ts'

/** In the top bar: opens the command palette without a keyboard shortcut. */
export function PaletteButton() {
  const t = useT()
  // Ignore failures here: opening the palette loads it again and shows the failure.
  const fetchAhead = () => void paletteView.load().catch(() => undefined)
  return (
    <JumpButton
      label={t('account.nav.search')}
      keys={isApple ? '⌘K' : t('account.nav.search_keys')}
      aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
      aria-haspopup="dialog"
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onClick={() => palette.set('search')}
    />
  )
}
