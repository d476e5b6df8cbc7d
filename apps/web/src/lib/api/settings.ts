import type { Contract, Reply } from '@plinth/contract'
import { createStore, useStore } from '../store.ts'
import { api } from './client.ts'

export type Settings = Reply<Contract['settings']['read']>

const settings = createStore<Settings | null>(null)
let asked: Promise<Settings> | null = null

/** Settings of this installation, requested once per page. Use it where a failure must be shown. */
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
 * The same as a hook; null until loaded. Failures are only logged.
 * @param wanted false: returns loaded settings but sends no request
 */
export function useSettings(wanted = true): Settings | null {
  const known = useStore(settings)
  if (wanted && !known && !asked) readSettings().catch(console.error)
  return known
}
