import { device } from './storage.ts'
import { createStore } from './store.ts'

const root = () => document.documentElement

/** Whether the dark style is on; public/theme.js has set it before the first paint. */
export const dark = createStore(root().classList.contains('dark'))

/** Applies the style at once and remembers it for the next first paint. */
export function setDark(on: boolean): void {
  show(on)
  device.write('theme', on ? 'dark' : 'light')
}

function show(on: boolean): void {
  root().classList.toggle('dark', on)
  dark.set(on)
}

const system = () => window.matchMedia('(prefers-color-scheme: dark)')

/** As the system likes it: for a browser whose user has left, or has never chosen. */
export function forgetDark(): void {
  setDark(system().matches)
  device.remove('theme')
}

/** Follows what is chosen in other tabs, and the system while nobody has chosen: some turn dark in the evening. */
export function followStyle(): void {
  system().addEventListener('change', () => {
    if (device.read('theme') === null) forgetDark()
  })
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'plinth.theme') show(newValue === null ? system().matches : newValue === 'dark')
  })
}
