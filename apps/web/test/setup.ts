import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'

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
