import { useStore } from '../../lib/store.ts'
import { palette } from './open.ts'
import { Search } from './Search.tsx'
import { Shortcuts } from './Shortcuts.tsx'

/** The overlay of the command palette: the search or the list of shortcuts. */
export function Palette() {
  return useStore(palette) === 'shortcuts' ? <Shortcuts /> : <Search />
}
