import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

// The file before in this worker had this page, and left our modules in a state of their own.
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

// What our modules listen to for as long as their page stands ends with it. Packages are loaded once and go on.
const { addEventListener } = window
const listening: Parameters<typeof addEventListener>[] = []
window.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
  listening.push(listener)
  addEventListener.apply(window, listener)
}
afterAll(() => {
  window.addEventListener = addEventListener
  for (const listener of listening) window.removeEventListener(...listener)
})

afterEach(cleanup)

// On a busy machine the library's second is short.
configure({ asyncUtilTimeout: 5000 })

// jsdom has the dialog element but neither of its calls. As in a browser: opening takes the focus inside,
// closing gives it back to where it was.
const before = new WeakMap<HTMLDialogElement, Element | null>()

HTMLDialogElement.prototype.showModal = function showModal() {
  before.set(this, document.activeElement)
  this.setAttribute('open', '')
  this.querySelector<HTMLElement>('button:not(:disabled), input, select, textarea, a[href]')?.focus()
}
HTMLDialogElement.prototype.close = function close() {
  if (!this.hasAttribute('open')) return
  this.removeAttribute('open')
  const opener = before.get(this)
  if (opener instanceof HTMLElement) opener.focus()
}

// Nor does it measure the window or scroll it.
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
