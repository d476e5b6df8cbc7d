import { CompiledQuery } from 'kysely'
import type { World } from '../context.ts'

/** What has run out, and how long it is kept after that. */
const statements = [
  'delete from sessions where expires_at < $1',
  "delete from mailed_tokens where expires_at < $1::timestamptz - interval '7 days'",
  "delete from invites where expires_at < $1::timestamptz - interval '30 days'",
  "delete from idempotency_keys where created_at < $1::timestamptz - interval '1 day'",
  'delete from rate_limits where expire < extract(epoch from $1::timestamptz) * 1000',
]

/** Throws away what has run out. Each statement in its own transaction: none waits for another's locks. */
export async function sweep(world: World) {
  for (const statement of statements) {
    await world.asSystem('upkeep', tx => tx.executeQuery(CompiledQuery.raw(statement, [world.now()])))
  }
}
