import { refusals } from '@plinth/contract/refusals'
import type { FastifyReply } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Services, Tx } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'

type Answer = { data: unknown; message?: string }
type Kept = { params_hash: Buffer; status: number | null; sealed_body: string | null; created_at: Date }

/** After this time an unfinished operation counts as crashed and may be repeated. */
const abandonedMs = 60_000
/** Replies that contain a session token are repeated only this long, so that a key found later is useless. */
const opensMs = 600_000
/** These answers say that nothing was done, so nothing is kept. */
const unkept = new Set<Refusal['code']>([
  'invalid_input',
  'unknown_field',
  'too_many_requests',
  'busy',
  'payment_provider_down',
  'operation_in_flight',
  'proof_required',
])

type Call = { scope: string; key: string; params: unknown; opens?: boolean | undefined }
type Claim = { scope: string; key: string; claimed_at: Date }
/** Keeps the answer in the transaction of the work itself: both are there after a crash, or neither. */
export type Keep = (tx: Tx, answer: Answer) => Promise<void>

/**
 * Runs a creating call once for each Idempotency-Key: the first answer is kept, sealed, and given again; the same
 * key with other content is refused, and so is a second call while the first one runs. An answer that opens a session is
 * given again for a few minutes; after them the work stays done, and its caller signs in.
 */
export async function once(
  services: Services,
  call: Call,
  run: (keep: Keep) => Promise<Answer>,
  reply: FastifyReply,
): Promise<Answer> {
  const { scope, key } = call
  if (!/^[\x21-\x7e]{8,255}$/.test(key))
    throw new Refusal('invalid_input', { field: 'Idempotency-Key', values: { label: 'Idempotency-Key' } })
  const digests = services.encrypter.digests(canonical(call.params))
  const claimed_at = services.now()
  const kept = await claim(services, { scope, key, claimed_at }, digests)
  if (kept) {
    if (!digests.some(digest => digest.equals(kept.params_hash))) throw new Refusal('idempotency_key_reused')
    if (kept.status === null || kept.sealed_body === null)
      throw new Refusal('operation_in_flight', { retryAfter: 1 })
    const late = claimed_at.getTime() - kept.created_at.getTime() > opensMs
    if (call.opens && kept.status === 200 && late) throw new Refusal('sign_in_again')
    const body = JSON.parse(services.encrypter.decrypt(kept.sealed_body, scope + key))
    reply.header('idempotent-replayed', 'true')
    if (kept.status === 200) return body
    throw new Refusal(body.code, body.details)
  }
  return runClaimed(services, { scope, key, claimed_at }, run)
}

async function runClaimed(
  services: Services,
  mine: Claim,
  run: (keep: Keep) => Promise<Answer>,
): Promise<Answer> {
  let keptInside = false
  const keepInside: Keep = async (tx, answer) => {
    // Another call has taken the key over: this one must not commit beside it.
    if (!(await keep(services, tx, mine, 200, answer)))
      throw new Refusal('operation_in_flight', { retryAfter: 1 })
    keptInside = true
  }
  let answer: Answer
  try {
    answer = await run(keepInside)
  } catch (error) {
    // Neither touches an answer that was committed before this error.
    if (error instanceof Refusal && !unkept.has(error.code))
      await keepLater(services, mine, refusals[error.code], { code: error.code, details: error.details })
    else await forget(services, mine)
    throw error
  }
  // The operation is committed: its reply is sent even if it can't be saved.
  if (!keptInside)
    await keepLater(services, mine, 200, answer).catch(error =>
      services.log.error({ err: error }, 'an answer could not be kept for its Idempotency-Key'),
    )
  return answer
}

/** One text for one content, in whatever order a client writes its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

async function claim(
  services: Services,
  mine: Claim,
  digests: [Buffer, ...Buffer[]],
): Promise<Kept | undefined> {
  const { scope, key, claimed_at } = mine
  const abandoned = new Date(claimed_at.getTime() - abandonedMs)
  return services.asSystem('idempotency key', async tx => {
    const claimed = await tx.executeQuery(
      CompiledQuery.raw(
        `insert into idempotency_keys (scope, key, params_hash, created_at) values ($1, $2, $3, $4)
         on conflict (scope, key) do update set created_at = excluded.created_at, params_hash = excluded.params_hash
         where idempotency_keys.status is null and idempotency_keys.created_at < $5
           and idempotency_keys.params_hash = any($6)
         returning 1`,
        [scope, key, digests[0], claimed_at, abandoned, digests],
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

/** @returns false when the claim is no longer this call's, or has its answer */
async function keep(
  services: Services,
  tx: Tx,
  mine: Claim,
  status: number,
  body: unknown,
): Promise<boolean> {
  const { scope, key, claimed_at } = mine
  const sealed = services.encrypter.encrypt(JSON.stringify(body), scope + key)
  const { rows } = await tx.executeQuery<{ kept: boolean }>(
    CompiledQuery.raw('select save_idempotent_reply($1, $2, $3, $4, $5) as kept', [
      scope,
      key,
      claimed_at,
      status,
      sealed,
    ]),
  )
  return rows[0]?.kept === true
}

const keepLater = (services: Services, mine: Claim, status: number, body: unknown) =>
  services.asSystem('idempotency key', tx => keep(services, tx, mine, status, body))

async function forget(services: Services, { scope, key, claimed_at }: Claim) {
  await services.asSystem('idempotency key', tx =>
    tx
      .deleteFrom('idempotency_keys')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('created_at', '=', claimed_at)
      .where('status', 'is', null)
      .execute(),
  )
}
