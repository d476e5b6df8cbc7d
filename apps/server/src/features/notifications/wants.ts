import type { NotificationName } from '@plinth/contract/endpoints/notifications'
import type { Tx } from '../../context.ts'
import { rolesFor } from './rules.ts'
import { findWanting, isOff } from './store.ts'

/**
 * Whether somebody wants this mail of an account. Asked in the transaction that sends it, right before: a switch that
 * was flipped by then counts.
 */
export const wants = async (tx: Tx, userId: string, accountId: string, name: NotificationName) =>
  !(await isOff(tx, { account_id: accountId, user_id: userId }, name))

/** Everybody in an account whom this mail concerns and who wants it, with what a mail needs to know of them. */
export const wanting = (tx: Tx, accountId: string, name: NotificationName) =>
  findWanting(tx, accountId, rolesFor(name), name)
