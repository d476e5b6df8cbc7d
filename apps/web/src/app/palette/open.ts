import { overlay } from '../../lib/loading.ts'
import { session } from '../../lib/session/store.ts'
import { device } from '../../lib/storage.ts'
import { createStore } from '../../lib/store.ts'
import { isComposing } from '../../ui/base/is-composing.ts'

/** Which of the two lies over the screen: the search over screens and actions, the list of shortcuts, or neither. */
export const palette = createStore<'search' | 'shortcuts' | null>(null)

export const closePalette = (): void => palette.set(null)

// Nothing of one person's is left open for the next.
session.subscribe(() => {
  if (!session.get()) closePalette()
})

const SINGLE = 'single_keys'
/** Whether `?` alone does something. Who speaks to the computer or strikes keys by chance can switch it off. */
export const singleKeys = createStore(device.read(SINGLE) !== 'off')

export function setSingleKeys(on: boolean): void {
  singleKeys.set(on)
  if (on) device.remove(SINGLE)
  else device.write(SINGLE, 'off')
}

/** Follows the keys that work on every screen of somebody signed in. Returns the way to stop. */
export function followKeys(): () => void {
  window.addEventListener('keydown', strike)
  // A step back leaves what lies over the screen behind, too.
  window.addEventListener('popstate', closePalette)
  return () => {
    window.removeEventListener('keydown', strike)
    window.removeEventListener('popstate', closePalette)
  }
}

function strike(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event) || !session.get()) return
  const wish = isSearch(event) ? 'search' : isShortcuts(event) ? 'shortcuts' : null
  if (!wish) return
  event.preventDefault()
  if (event.repeat) return
  if (wish === palette.get()) closePalette()
  else if (isFree()) palette.set(wish)
}

/** A dialog may hold what somebody is typing, and nothing lies over a curtain. */
const isFree = () => !document.querySelector('dialog[open]') && overlay.get() === 0

/** In a field of Apple's, Ctrl and K delete the rest of the line. */
function isSearch({ key, code, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const held = isApple ? metaKey : ctrlKey
  // A keyboard of another script has no K: there the place of the key counts.
  const isK = key.toLowerCase() === 'k' || (code === 'KeyK' && !/^[a-z]$/i.test(key))
  return isK && held && !shiftKey && !altKey
}

function isShortcuts({ key, target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (key !== '?' || metaKey || ctrlKey || altKey || !singleKeys.get()) return false
  return !(target instanceof Element && target.closest(TAKES_LETTERS))
}

/** Fields, and lists that jump to what begins with a letter. */
const TAKES_LETTERS =
  'input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=textbox]'

export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)
