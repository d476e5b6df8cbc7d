import { useEffect, useState } from 'react'
import { readSettings } from '../../../lib/api/settings.ts'
import { device, parse } from '../../../lib/storage.ts'

export type Provider = { id: string; name: string }

const key = 'social'

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && isText(value, 'id') && isText(value, 'name')
const isText = (value: object, name: string) => typeof Reflect.get(value, name) === 'string'

function readStoredProviders(): Provider[] | undefined {
  const list = parse(device.read(key))
  return Array.isArray(list) ? list.filter(isProvider) : undefined
}

/**
 * The sign-in providers. Starts with the list of the last visit, so that the first paint has the buttons.
 * Undefined while no list is known, because late buttons would move the page.
 */
export function useProviders(): readonly Provider[] | undefined {
  const [providers, setProviders] = useState<readonly Provider[] | undefined>(readStoredProviders)
  // Fetched after the first paint.
  useEffect(() => {
    readSettings().then(
      ({ social }) => {
        device.write(key, JSON.stringify(social))
        setProviders(social)
      },
      // The other sign-in methods work without the list.
      () => setProviders(known => known ?? []),
    )
  }, [])
  return providers
}
