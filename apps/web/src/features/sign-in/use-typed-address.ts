import { useState } from 'react'
import { tab } from '../../lib/storage.ts'

const KEY = 'address'

/**
 * The address that the user typed. Sign-in, forgotten password, magic link and single sign-on share it within
 * this tab, until the user signs out.
 */
export function useTypedAddress(): [address: string, keep: (address: string) => void] {
  const [address, setAddress] = useState(() => tab.read(KEY) ?? '')
  function storeAddress(next: string): void {
    setAddress(next)
    tab.write(KEY, next)
  }
  return [address, storeAddress]
}
