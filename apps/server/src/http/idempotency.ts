import { refusals } from '@plinth/contract/refusals'
import type { FastifyReply } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { World } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'

type Answer = { data: unknown; message?: string }
type Kept = { params_hash: Buffer; status: number | null; sealed_body: string | null; created_at: Date }

/** An operation that has not ended by then was cut off by a crash, and may be tried again. */
const abandonedMs = 60_000
/** These answers say that nothing was done, so nothing is kept. */
const unkept = new Set<Refusal['code']>([
  'invalid_input',
  'unknown_field',
  'too_many_requests',
  'busy',
  'payment_provider_down',
  'operation_in_flight',
])

/**
 * Runs a creating call once for each Idempotency-Key: the first answer is kept, sealed, and given again; the same
 * key with other content is refused, and so is a second call while the first one runs.
 */
export async function once(
  world: World,
  call: { scope: string; key: string; params: unknown },
  run: () => Promise<Answer>,
  reply: FastifyReply,
): Promise<Answer> {
  const { scope, key } = call
  if (!/^[\x21-\x7e]{8,255}$/.test(key)) throw new Refusal('invalid_input', { field: 'Idempotency-Key' })
  const hash = world.sealer.digest(JSON.stringify(call.params ?? null))
  const kept = await claim(world, scope, key, hash)
  if (kept) {
    if (!kept.params_hash.equals(hash)) throw new Refusal('idempotency_key_reused')
    if (kept.status === null || kept.sealed_body === null)
      throw new Refusal('operation_in_flight', { retryAfter: 1 })
    const body = JSON.parse(world.sealer.open(kept.sealed_body, scope + key))
    reply.header('idempotent-replayed', 'true')
    if (kept.status === 200) return body
    throw new Refusal(body.code, body.details)
  }
  try {
    const answer = await run()
    await keep(world, scope, key, 200, answer)
    return answer
  } catch (error) {
    if (error instanceof Refusal && !unkept.has(error.code))
      await keep(world, scope, key, refusals[error.code], { code: error.code, details: error.details })
    else await forget(world, scope, key)
    throw error
  }
}

async function claim(world: World, scope: string, key: string, hash: Buffer): Promise<Kept | undefined> {
  return world.asSystem('idempotency key', async tx => {
    const now = world.now()
    const claimed = await tx.executeQuery(
      CompiledQuery.raw(
        `insert into idempotency_keys (scope, key, params_hash, created_at) values ($1, $2, $3, $4)
         on conflict (scope, key) do update set created_at = excluded.created_at
         where idempotency_keys.status is null and idempotency_keys.created_at < $5 and idempotency_keys.params_hash = $3
         returning 1`,
        [scope, key, hash, now, new Date(now.getTime() - abandonedMs)],
      ),
    )
    if (claimed.rows.length) return undefined
    return tx
      .selectFrom('idempotency_keys')
      .select(['params_hash', 'status', 'sealed_body', 'created_at'])
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst()
  })
}

async function keep(world: World, scope: string, key: string, status: number, body: unknown) {
  const sealed_body = world.sealer.seal(JSON.stringify(body), scope + key)
  await world.asSystem('idempotency key', tx =>
    tx
      .updateTable('idempotency_keys')
      .set({ status, sealed_body })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute(),
  )
}

async function forget(world: World, scope: string, key: string) {
  await world.asSystem('idempotency key', tx =>
    tx.deleteFrom('idempotency_keys').where('scope', '=', scope).where('key', '=', key).execute(),
  )
}
