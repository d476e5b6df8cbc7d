import type { Context, Tx } from '../../context.ts'
import { lockAccount } from '../accounts/standing.ts'
import { audit, targetsOf } from '../audit/service.ts'
import * as store from './store.ts'

type Person = { id: string; first_name: string }
type EndedKey = { name: string; account_name: string }

/**
 * Ends the keys that somebody may have made or seen in another's name, since then. Each is in its account's log, and
 * its owners, and whoever else made one of them, hear that it works no more; the person themselves is told by the caller.
 *
 * Locks: the accounts in order, then the keys, as closing has it.
 */
export async function revokeKnownSince(ctx: Context, tx: Tx, user: Person, since: Date): Promise<EndedKey[]> {
  const seen = await targetsOf(tx, { user_id: user.id, action: 'api_key.revealed', since })
  const known = await store.listKnown(tx, { user_id: user.id, since, seen })
  const ended: EndedKey[] = []
  for (const account_id of [...new Set(known.map(key => key.account_id))].sort()) {
    const account = await lockAccount(tx, account_id)
    if (!account) continue
    const ids = known.filter(key => key.account_id === account_id).map(({ id }) => id)
    const keys = await store.revokeKeys(tx, account_id, ids, ctx.now())
    for (const { id, name } of keys) {
      ended.push({ name, account_name: account.name })
      await audit(ctx, tx, {
        account_id,
        user_id: user.id,
        action: 'api_key.revoked',
        target: id,
        metadata: { name, because: 'email.change_undone' },
        network: ctx.request.network,
      })
    }
    await tellOthers(ctx, tx, { user, keys, account })
  }
  return ended
}

type Told = {
  user: Person
  keys: { name: string; created_by: string | null }[]
  account: { id: string; name: string }
}

/** Owners of all of them, makers of their own. */
async function tellOthers(ctx: Context, tx: Tx, { user, keys, account }: Told) {
  if (!keys.length) return
  const owners = await store.listOwners(tx, account.id)
  const ids = new Set([...owners, ...keys.flatMap(({ created_by }) => created_by ?? [])])
  ids.delete(user.id)
  if (!ids.size) return
  for (const maker of await store.listMakers(tx, [...ids]))
    await ctx.enqueueMail(tx, {
      kind: 'api_key',
      to: maker.email,
      locale: maker.locale,
      data: {
        name: maker.first_name,
        event: 'revoked',
        keys: keys
          .filter(({ created_by }) => created_by === maker.id || owners.includes(maker.id))
          .map(({ name }) => name),
        account_name: account.name,
        by: user.first_name,
        url: `${ctx.config.publicUrl}/account/apikeys`,
      },
    })
}
