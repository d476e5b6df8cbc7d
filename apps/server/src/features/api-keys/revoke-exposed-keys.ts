import type { Context, Tx } from '../../context.ts'
import { lockAccount } from '../../identity/account-store.ts'
import { recordAudit } from '../../identity/audit.ts'
import { findAuditTargets } from '../../identity/audit-store.ts'
import * as store from './store.ts'

type Person = { id: string; first_name: string }
type RevokedKey = { name: string; account_name: string }

/**
 * Revokes the keys that a user created or revealed since a moment, because another person may have used their session.
 * Other makers and the owners are mailed; the caller mails the user.
 *
 * Locks: the accounts in order of id, then the keys.
 */
export async function revokeExposedKeys(
  ctx: Context,
  tx: Tx,
  user: Person,
  since: Date,
): Promise<RevokedKey[]> {
  const seen = await findAuditTargets(tx, { user_id: user.id, action: 'api_key.revealed', since })
  const exposed = await store.listExposedKeys(tx, { user_id: user.id, since, seen })
  const revoked: RevokedKey[] = []
  for (const account_id of [...new Set(exposed.map(key => key.account_id))].sort()) {
    const account = await lockAccount(tx, account_id)
    if (!account) continue
    const ids = exposed.filter(key => key.account_id === account_id).map(({ id }) => id)
    const keys = await store.revokeKeys(tx, account_id, ids, ctx.now())
    for (const { id, name } of keys) {
      revoked.push({ name, account_name: account.name })
      await recordAudit(ctx, tx, {
        account_id,
        user_id: user.id,
        action: 'api_key.revoked',
        target: id,
        metadata: { name, because: 'email.change_undone' },
        network: ctx.request.network,
      })
    }
    await notifyOthers(ctx, tx, { user, keys, account })
  }
  return revoked
}

type Revoked = {
  user: Person
  keys: { name: string; created_by: string | null }[]
  account: { id: string; name: string }
}

/** Owners are mailed about every key, makers about their own. */
async function notifyOthers(ctx: Context, tx: Tx, { user, keys, account }: Revoked) {
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
