import { useState } from 'react'
import { tab } from '../../lib/storage.ts'

const KEY = 'address'

/**
 * The address that was typed at one door goes along to the next: forgotten password, magic link, company sign-in and
 * back. It stays in this tab, and leaving clears it with the rest.
 */
export function useTypedAddress(): [address: string, keep: (address: string) => void] {
  const [address, setAddress] = useState(() => tab.read(KEY) ?? '')
  function keep(next: string): void {
    setAddress(next)
    tab.write(KEY, next)
  }
  return [address, keep]
}
