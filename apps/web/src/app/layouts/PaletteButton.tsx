import { useT } from '../../lib/i18n/translate.ts'
import { JumpButton } from '../../ui/layout/TopBar.tsx'
import { isApple, palette } from '../palette/open.ts'
import { paletteView } from '../palette/view.ts'

/** In the bar: opens the search over screens and actions, for those who know no key or have no keyboard. */
export function PaletteButton() {
  const t = useT()
  // Failing ahead of time is no failure: opening it tries again and tells.
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
