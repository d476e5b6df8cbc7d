import { useSignedIn } from '../../lib/session/store.ts'

/** The name of the current account; the first one until the server has sent the id. */
export function useAccountName(): string {
  const { accounts, account_id } = useSignedIn()
  return (accounts.find(account => account.id === account_id) ?? accounts[0])?.name ?? ''
}
