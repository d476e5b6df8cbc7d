import { useStore } from '../../lib/store.ts'
import { palette } from './open.ts'
import { Search } from './Search.tsx'
import { Shortcuts } from './Shortcuts.tsx'

/** What the keys of every screen open: the search, or the list of the keys themselves. */
export function Palette() {
  return useStore(palette) === 'shortcuts' ? <Shortcuts /> : <Search />
}
