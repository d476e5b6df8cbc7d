import { useEffect } from 'react'
import { handleFailure } from '../../lib/api/failure.ts'
import { useStore } from '../../lib/store.ts'
import { useLazyComponent } from '../use-lazy-component.ts'
import { closePalette, followKeys, palette } from './open.ts'
import { paletteView } from './view.ts'

/** The command palette and its keyboard shortcuts. Signed-in users only. */
export function Keys() {
  const Palette = useLazyComponent(useStore(palette) !== null, paletteView.load, onPaletteFailed)
  // Shortcuts are window events, outside React.
  useEffect(followKeys, [])
  return Palette && <Palette />
}

function onPaletteFailed(error: unknown) {
  closePalette()
  handleFailure(error)
}
