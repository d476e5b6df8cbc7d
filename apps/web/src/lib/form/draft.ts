import { session } from '../session/store.ts'
import { draftKey as keyOf, parse, tab } from '../storage.ts'
import type { Input } from './types.ts'

/**
 * What was typed and not yet sent, kept in this tab through a reload, the back button or a lost session; never
 * passwords, cards, codes or files. It belongs to whoever typed it: another user in the same tab does not see it.
 */
type Values = Record<string, unknown>

function owner(): string {
  const user = session.get()
  return user ? [user.name, ...user.accounts.map(account => account.id)].join() : ''
}

/** Something was typed into this form and is neither sent nor discarded. */
export const hasDraft = (name: string): boolean => Object.keys(read(name)).length > 0

function read(name: string): Values {
  const kept = parse(tab.read(keyOf(name)))
  if (typeof kept !== 'object' || kept === null) return {}
  const { owner: whose, values } = kept as { owner?: string; values?: Values } // as: both are checked before use
  return whose === owner() && typeof values === 'object' ? values : {}
}

export function readDraft(name: string, inputs: Record<string, Input>): Values {
  const values = read(name)
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => {
      const input = inputs[field]
      return input && !input.secret && typeof value === typeof input.value
    }),
  )
}

/** @param changed what differs from what is saved: the rest would hide what is saved elsewhere meanwhile */
export function keepDraft(name: string, changed: Record<string, Input>, values: Values): void {
  const kept = Object.entries(values).filter(([field]) => changed[field] && !changed[field].secret)
  if (!kept.length) dropDraft(name)
  else tab.write(keyOf(name), JSON.stringify({ owner: owner(), values: Object.fromEntries(kept) }))
}

/** After it was sent, and after a Cancel, which means it. */
export const dropDraft = (name: string): void => tab.remove(keyOf(name))
