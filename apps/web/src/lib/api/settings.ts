import type { Contract, Reply } from '@plinth/contract'
import { createStore, useStore } from '../store.ts'
import { api } from './client.ts'

export type Settings = Reply<Contract['settings']['read']>

const settings = createStore<Settings | null>(null)
let asked: Promise<Settings> | null = null

/** What this installation is like, read once per page: `await readSettings()` where a failure must be told. */
export function readSettings(): Promise<Settings> {
  asked ??= api.settings
    .read()
    .then(({ data }) => {
      settings.set(data)
      return data
    })
    .catch(error => {
      asked = null
      throw error
    })
  return asked
}

/**
 * The same for a component; null until it is there. What only decorates a screen may miss it in silence.
 * @param wanted false: what is known is told, and nothing is asked
 */
export function useSettings(wanted = true): Settings | null {
  const known = useStore(settings)
  if (wanted && !known && !asked) readSettings().catch(console.error)
  return known
}
