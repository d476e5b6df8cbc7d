import type { AuthedContext, Tx } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import * as store from './store.ts'

type Key = { id: string; name: string; created_by: string | null }
/** `changed`: the key got other scopes. */
export type KeyEvent = 'created' | 'changed' | 'revealed' | 'revoked' | 'deleted'
type AuditDetails = Record<string, string | number | boolean | string[]>

/** Writes one audit entry for each key. */
export async function recordKeyEvent(
  ctx: AuthedContext,
  tx: Tx,
  event: KeyEvent | 'renamed',
  keys: Key[],
  details: AuditDetails = {},
) {
  const { account_id, user_id } = ctx.actor
  for (const { id, name } of keys)
    await recordAudit(ctx, tx, {
      account_id,
      user_id,
      action: `api_key.${event}`,
      target: id,
      metadata: { name, ...details },
      network: ctx.request.network,
    })
}

/** Sends one mail each to the acting user and to the creators of the keys: a key acts with the role of its creator. */
export async function notifyMakers(ctx: AuthedContext, tx: Tx, event: KeyEvent, keys: Key[]) {
  const { user_id, first_name, last_name, account_name } = ctx.actor
  const ids = new Set([user_id, ...keys.flatMap(({ created_by }) => created_by ?? [])])
  for (const person of await store.listMakers(tx, [...ids])) {
    const theirs = person.id === user_id ? keys : keys.filter(({ created_by }) => created_by === person.id)
    await ctx.enqueueMail(tx, {
      kind: 'api_key',
      to: person.email,
      locale: person.locale,
      data: {
        name: person.first_name,
        event,
        keys: theirs.map(({ name }) => name),
        account_name,
        by: person.id === user_id ? null : `${first_name} ${last_name}`.trim(),
        url: `${ctx.config.publicUrl}/account/apikeys`,
      },
    })
  }
}
