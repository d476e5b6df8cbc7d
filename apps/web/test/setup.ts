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

// The library says so to React when it is loaded, and takes it back after that file.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

// What is listened to on the page since a file began ends with it, and so does what it lent to the browser. React's own
// listeners on the document stay: it would not add them again.
const ended: (() => void)[] = []
for (const place of [window, document]) {
  const { addEventListener } = place
  place.addEventListener = (...listener: Parameters<typeof addEventListener>) => {
    addEventListener.apply(place, listener)
    if (place === window || listener[0] === 'visibilitychange')
      ended.push(() => place.removeEventListener(listener[0], listener[1], listener[2]))
  }
  ended.push(() => Object.assign(place, { addEventListener }))
}
afterAll(() => {
  for (const end of ended) end()
  for (const [place, name] of [
    [Element.prototype, 'scrollIntoView'],
    [URL, 'createObjectURL'],
    [URL, 'revokeObjectURL'],
    [navigator, 'credentials'],
    [navigator, 'clipboard'],
  ] as const)
    Reflect.deleteProperty(place, name)
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
