import { useEffect, useState } from 'react'
import { readSettings } from '../../../lib/api/settings.ts'
import { device, parse } from '../../../lib/storage.ts'

export type Provider = { id: string; name: string }

const key = 'social'

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' && value !== null && isText(value, 'id') && isText(value, 'name')
const isText = (value: object, name: string) => typeof Reflect.get(value, name) === 'string'

function remembered(): Provider[] | undefined {
  const list = parse(device.read(key))
  return Array.isArray(list) ? list.filter(isProvider) : undefined
}

/**
 * Whom one can sign in with. Until this installation has said so, what it said last time: so that the buttons are there
 * with the first paint, from the second visit on. Undefined until either is known: what is below them would move.
 */
export function useProviders(): readonly Provider[] | undefined {
  const [providers, setProviders] = useState<readonly Provider[] | undefined>(remembered)
  // Asked for behind the first paint.
  useEffect(() => {
    readSettings().then(
      ({ social }) => {
        device.write(key, JSON.stringify(social))
        setProviders(social)
      },
      // The other ways in are there without it.
      () => setProviders(known => known ?? []),
    )
  }, [])
  return providers
}
