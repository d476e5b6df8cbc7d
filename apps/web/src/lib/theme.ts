import { device } from './storage.ts'
import { createStore } from './store.ts'

const root = () => document.documentElement

/** Whether the dark style is on; public/theme.js has set it before the first paint. */
export const dark = createStore(root().classList.contains('dark'))

/** Applies the style at once and remembers it for the next first paint. */
export function setDark(on: boolean): void {
  root().classList.toggle('dark', on)
  device.write('theme', on ? 'dark' : 'light')
  dark.set(on)
}

/** The system's own preference again: for a browser whose user has left. */
export function forgetDark(): void {
  setDark(window.matchMedia('(prefers-color-scheme: dark)').matches)
  device.remove('theme')
}
