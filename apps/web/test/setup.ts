import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

// Test files of one worker share the page and modules: reset both.
vi.resetModules()
vi.useRealTimers()
localStorage.clear()
sessionStorage.clear()
history.replaceState(null, '', '/')
for (const { name } of [...document.documentElement.attributes])
  document.documentElement.removeAttribute(name)
document.head.replaceChildren()
document.body.replaceChildren()
document.title = ''

// The testing library sets this on import and removes it after the file.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// Removes the listeners that a test file added to the page, and its browser stubs. React's own listeners on
// the document stay, because React does not add them again.
const cleanups: (() => void)[] = []
for (const target of [window, document]) {
  const { addEventListener } = target
  target.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
    addEventListener.apply(target, listener)
    if (target === window || listener[0] === 'visibilitychange')
      cleanups.push(() => target.removeEventListener(listener[0], listener[1], listener[2]))
  }
  cleanups.push(() => Object.assign(target, { addEventListener }))
}
afterAll(() => {
  for (const end of cleanups) end()
  for (const [target, name] of [
    [Element.prototype, 'scrollIntoView'],
    [URL, 'createObjectURL'],
    [URL, 'revokeObjectURL'],
    [navigator, 'credentials'],
    [navigator, 'clipboard'],
  ] as const)
    Reflect.deleteProperty(target, name)
})

afterEach(cleanup)

// The default of one second is too short on a busy machine.
configure({ asyncUtilTimeout: 5000 })

// jsdom lacks showModal and close. As in a browser: opening moves the focus into the dialog, closing restores
// it.
const openers = new WeakMap<HTMLDialogElement, Element | null>()

HTMLDialogElement.prototype.showModal = function showModal() {
  openers.set(this, document.activeElement)
  this.setAttribute('open', '')
  this.querySelector<HTMLElement>('button:not(:disabled), input, select, textarea, a[href]')?.focus()
}
HTMLDialogElement.prototype.close = function close() {
  if (!this.hasAttribute('open')) return
  this.removeAttribute('open')
  const opener = openers.get(this)
  if (opener instanceof HTMLElement) opener.focus()
}

// jsdom lacks matchMedia and scrolling.
beforeEach(() => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  window.scrollTo = () => undefined
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  vi.unstubAllGlobals()
})
