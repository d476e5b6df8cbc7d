import type { Contract, Reply } from '@plinth/contract'
import { createStore, useStore } from '../store.ts'
import { api } from './client.ts'

export type Settings = Reply<Contract['settings']['read']>

const settings = createStore<Settings | null>(null)
let request: Promise<Settings> | null = null

/** Settings of this installation, requested once per page. Use it where a failure must be shown. */
export function readSettings(): Promise<Settings> {
  request ??= api.settings
    .read()
    .then(({ data }) => {
      settings.set(data)
      return data
    })
    .catch(error => {
      request = null
      throw error
    })
  return request
}

/**
 * The same as a hook; null until loaded. Failures are only logged.
 * @param wanted false: returns loaded settings but sends no request
 */
export function useSettings(wanted = true): Settings | null {
  const loaded = useStore(settings)
  if (wanted && !loaded && !request) readSettings().catch(console.error)
  return loaded
}
