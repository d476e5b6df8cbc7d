import { createStore } from './store.ts'

/** The number of operations that need the full-screen overlay. It is visible while the number is above 0. */
export const overlay = createStore(0)

/** Shows the full-screen loading overlay until the promise settles. */
export async function withOverlay<T>(work: Promise<T>): Promise<T> {
  overlay.set(n => n + 1)
  try {
    return await work
  } finally {
    overlay.set(n => n - 1)
  }
}
