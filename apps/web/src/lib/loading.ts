import { createStore } from './store.ts'

/** How many things want the full-screen overlay; it is shown while there is one. */
export const overlay = createStore(0)

/** Shows the full-screen loading overlay until the work is done. */
export async function withOverlay<T>(work: Promise<T>): Promise<T> {
  overlay.set(n => n + 1)
  try {
    return await work
  } finally {
    overlay.set(n => n - 1)
  }
}
