import { overlay } from '../../lib/loading.ts'
import { session } from '../../lib/session/store.ts'
import { device } from '../../lib/storage.ts'
import { createStore } from '../../lib/store.ts'
import { isComposing } from '../../ui/base/is-composing.ts'

/** The open overlay: the search, the list of shortcuts, or none. */
export const palette = createStore<'search' | 'shortcuts' | null>(null)

export const closePalette = (): void => palette.set(null)

// Close it when the session ends.
session.subscribe(() => {
  if (!session.get()) closePalette()
})

const SINGLE = 'single_keys'
/** Whether the shortcut `?` is active. Users of speech input can turn single-key shortcuts off. */
export const singleKeys = createStore(device.read(SINGLE) !== 'off')

export function setSingleKeys(on: boolean): void {
  singleKeys.set(on)
  if (on) device.remove(SINGLE)
  else device.write(SINGLE, 'off')
}

/** Listens for the global shortcuts. Returns a function that stops it. */
export function followKeys(): () => void {
  window.addEventListener('keydown', onKeyDown)
  // Going back closes the overlay.
  window.addEventListener('popstate', closePalette)
  return () => {
    window.removeEventListener('keydown', onKeyDown)
    window.removeEventListener('popstate', closePalette)
  }
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || isComposing(event) || !session.get()) return
  const requested = isSearch(event) ? 'search' : isShortcuts(event) ? 'shortcuts' : null
  if (!requested) return
  event.preventDefault()
  if (event.repeat) return
  if (requested === palette.get()) closePalette()
  else if (canOpen()) palette.set(requested)
}

/** An open dialog may hold unsaved input, and nothing may cover the loading overlay. */
const canOpen = () => !document.querySelector('dialog[open]') && overlay.get() === 0

/** Command on Apple devices, because Ctrl+K deletes the rest of a line there. */
function isSearch({ key, code, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): boolean {
  const held = isApple ? metaKey : ctrlKey
  // Keyboards of other scripts have no K: use the key's position.
  const isK = key.toLowerCase() === 'k' || (code === 'KeyK' && !/^[a-z]$/i.test(key))
  return isK && held && !shiftKey && !altKey
}

function isShortcuts({ key, target, metaKey, ctrlKey, altKey }: KeyboardEvent): boolean {
  if (key !== '?' || metaKey || ctrlKey || altKey || !singleKeys.get()) return false
  return !(target instanceof Element && target.closest(TEXT_ENTRY))
}

/** Inputs, and lists that jump to an entry by its first letter. */
const TEXT_ENTRY =
  'input:not([type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=menu], [role=listbox], [role=textbox]'

export const isApple = /Mac|iP(hone|ad|od)/.test(navigator.userAgent)
