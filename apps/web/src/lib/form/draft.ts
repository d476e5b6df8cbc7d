import { session } from '../session/store.ts'
import { draftKey as keyOf, parse, tab } from '../storage.ts'
import type { Input } from './types.ts'

/**
 * Unsent form values, stored in sessionStorage to survive a reload, the back button or a lost session.
 * Passwords, cards, codes and files are never stored. Drafts of another user are ignored.
 */
type Values = Record<string, unknown>

function draftOwner(): string {
  const user = session.get()
  return user ? [user.name, ...user.accounts.map(account => account.id)].join() : ''
}

/** Whether the form has a draft. */
export const hasDraft = (name: string): boolean => Object.keys(readValues(name)).length > 0

function readValues(name: string): Values {
  const kept = parse(tab.read(keyOf(name)))
  if (typeof kept !== 'object' || kept === null) return {}
  const { owner: whose, values } = kept as { owner?: string; values?: Values } // as: both are checked before use
  return whose === draftOwner() && typeof values === 'object' ? values : {}
}

export function readDraft(name: string, inputs: Record<string, Input>): Values {
  const values = readValues(name)
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => {
      const input = inputs[field]
      return input && !input.secret && typeof value === typeof input.value
    }),
  )
}

/**
 * @param changed fields that differ from the saved values; others are not stored, or they would hide newer
 * saved values
 */
export function keepDraft(name: string, changed: Record<string, Input>, values: Values): void {
  const kept = Object.entries(values).filter(([field]) => changed[field] && !changed[field].secret)
  if (!kept.length) dropDraft(name)
  else tab.write(keyOf(name), JSON.stringify({ owner: draftOwner(), values: Object.fromEntries(kept) }))
}

export const dropDraft = (name: string): void => tab.remove(keyOf(name))
