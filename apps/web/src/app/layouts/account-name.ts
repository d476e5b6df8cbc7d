import { useSignedIn } from '../../lib/session/store.ts'

/** The account that is open. Until the server has said which of several it is, the first. */
export function useAccountName(): string {
  const { accounts, account_id } = useSignedIn()
  return (accounts.find(account => account.id === account_id) ?? accounts[0])?.name ?? ''
}
