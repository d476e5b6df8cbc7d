import type { Tx } from '../../context.ts'
import * as store from './store.ts'

/**
 * Whoever changes an account's billing or adds people to it waits here, one at a time.
 * @returns the account, or undefined when it is gone
 */
export const lockAccount = (tx: Tx, id: string) => store.lockAccount(tx, id)

/** How many people are in the account. Only under its lock is the count worth anything. */
export const countMembers = (tx: Tx, accountId: string): Promise<number> => store.countMembers(tx, accountId)
