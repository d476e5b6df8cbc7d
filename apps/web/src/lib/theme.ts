import { device } from './storage.ts'
import { createStore } from './store.ts'

const root = () => document.documentElement

/** Whether the dark theme is active; public/theme.js sets it before the first paint. */
export const dark = createStore(root().classList.contains('dark'))

/** Switches the theme and stores the choice. */
export function setDark(on: boolean): void {
  applyDark(on)
  device.write('theme', on ? 'dark' : 'light')
}

function applyDark(on: boolean): void {
  root().classList.toggle('dark', on)
  dark.set(on)
}

const systemQuery = () => window.matchMedia('(prefers-color-scheme: dark)')

/** Returns to the system's theme, after a sign-out or while the user has not chosen one. */
export function forgetDark(): void {
  setDark(systemQuery().matches)
  device.remove('theme')
}

/** Follows a choice in other tabs, and the system's theme while there is no choice. */
export function followStyle(): void {
  systemQuery().addEventListener('change', () => {
    if (device.read('theme') === null) forgetDark()
  })
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'plinth.theme') applyDark(newValue === null ? systemQuery().matches : newValue === 'dark')
  })
}
