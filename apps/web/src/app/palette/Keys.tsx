import { useEffect } from 'react'
import { handleFailure } from '../../lib/api/failure.ts'
import { useStore } from '../../lib/store.ts'
import { useLazyComponent } from '../use-lazy-component.ts'
import { closePalette, followKeys, palette } from './open.ts'
import { paletteView } from './view.ts'

/** The search and the list of shortcuts, and the keys that call them. Only somebody signed in has them. */
export function Keys() {
  const Palette = useLazyComponent(useStore(palette) !== null, paletteView.load, cantSearch)
  // Keys come to the window, outside React.
  useEffect(followKeys, [])
  return Palette && <Palette />
}

function cantSearch(error: unknown) {
  closePalette()
  handleFailure(error)
}
