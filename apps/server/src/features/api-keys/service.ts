import type { ApiKey, Paging } from '@plinth/contract'
import { pageSize } from '@plinth/contract/paging'
import { grants } from '@plinth/contract/roles'
import { type Scope, scopes } from '@plinth/contract/scopes'
import type { AuthedContext, Tx } from '../../context.ts'
import { masked, newApiKey } from '../../lib/api-key.ts'
import { hashToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { countedTo, pageOf, placeOf } from '../../lib/paging.ts'
import { Refusal } from '../../lib/refusal.ts'
import { folded, patternsOf } from '../../lib/search.ts'
import { lockAccount, roleIn } from '../accounts/standing.ts'
import { demandProof } from '../auth/step-up.ts'
import { note, tell } from './notices.ts'
import * as rules from './rules.ts'
import * as store from './store.ts'

type Proof = { password?: string; code?: string }
type Named = { name: string; scope: Scope[] }

/** A row as the wire has it. Neither the hash nor the sealed key is ever among what a store reads for it. */
function toWire(row: store.KeyRow, now: Date): ApiKey {
  return {
    id: row.id,
    name: row.name,
    key: row.masked,
    scope: rules.toScopes(row.scope),
    active: rules.isActive(row, now),
    revealable: row.is_sealed && rules.isActive(row, now),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    date_created: row.created_at.toISOString(),
    created_by: row.made_by,
  }
}

const isTime = (value: string) =>
  /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(value) && !Number.isNaN(Date.parse(value))

/** The words by which a key is found, and the order in a list by name. */
const searchText = (name: string, shown: string) => folded(`${name} ${shown}`)

/** What a sealed key is bound to: its row, in its account. */
export const apiKeyBinding = (accountId: string, id: string) => `api_keys ${accountId} ${id}`

export async function list(ctx: AuthedContext, { search = '', sort, cursor, limit = pageSize }: Paging) {
  const { account_id } = ctx.actor
  const patterns = patternsOf(search)
  const by = sort?.endsWith('name') ? 'name' : 'date_created'
  const place = placeOf(cursor, value => by === 'name' || isTime(value))
  const down = sort ? sort.startsWith('-') : true
  const { read, counted } = await ctx.within(async tx => ({
    read: await store.listKeys(tx, account_id, { patterns, by, down, place, limit }),
    counted: await store.countFound(tx, account_id, patterns, countedTo + 1),
  }))
  const { rows, page } = pageOf(read, { place, limit, counted }, row => ({
    value: by === 'name' ? row.search_text : row.created_at.toISOString(),
    id: row.id,
  }))
  ctx.page(page)
  const now = ctx.now()
  return rows.map(row => toWire(row, now))
}

export async function read(ctx: AuthedContext, id: string) {
  const row = await ctx.within(tx => store.findKey(tx, ctx.actor.account_id, id))
  // Another account's looks like none at all.
  if (!row) throw new Refusal('not_found')
  return [toWire(row, ctx.now())]
}

export const listScopes = (ctx: AuthedContext) =>
  scopes.map(value => ({ value, label: ctx.t(`scopes.${value}`) }))

/** How many keys work, and how many may. */
export async function allowance(ctx: AuthedContext) {
  const { account_id, plan } = ctx.actor
  const used = await ctx.within(tx => store.countActive(tx, account_id, ctx.now()))
  return { used, limit: rules.limitOf(plan), plan: rules.whyNoRoom(plan, used)?.plan ?? null }
}

export async function create(
  ctx: AuthedContext,
  { name, scope, expires_at, ...proof }: Named & Proof & { expires_at?: string | null },
) {
  await demandProof(ctx, proof)
  const { account_id, user_id } = ctx.actor
  const now = ctx.now()
  const expires = expires_at ? new Date(expires_at) : null
  if (expires && !rules.mayExpireAt(expires, now))
    throw new Refusal('invalid_input', { field: 'expires_at', text: 'form.key.expires' })
  const full_key = newApiKey(ctx.config.livePayments ? 'live' : 'test')
  const id = newId(now.getTime())
  const shown = masked(full_key)
  return ctx.within(async tx => {
    await takeRoom(ctx, tx)
    await store.insertKey(tx, {
      id,
      account_id,
      created_by: user_id,
      name,
      masked: shown,
      scope: rules.toText(scope),
      key_hash: hashToken(full_key),
      sealed_key: ctx.config.revealApiKeys
        ? ctx.encrypter.encrypt(full_key, apiKeyBinding(account_id, id))
        : null,
      search_text: searchText(name, shown),
      created_at: now,
      expires_at: expires,
    })
    const made = { id, name, created_by: user_id }
    await note(ctx, tx, 'created', [made], { scope })
    await tell(ctx, tx, 'created', [made])
    const answer = {
      ...toWire(invariant(await store.findKey(tx, account_id, id), 'the new key'), now),
      full_key,
    }
    // Whoever asks again under the same Idempotency-Key hears of the key; the key itself leaves once, or by a reveal.
    await ctx.saveIdempotentReply(tx, { ...answer, full_key: null })
    return answer
  })
}

/** Makes sure of room for one more key. The account's lock is held from the count to the insert (T-45). */
async function takeRoom(ctx: AuthedContext, tx: Tx) {
  const account = await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id)
  // Closed since the session was read; or whoever asks was removed or demoted: a key would outlive that (T-39).
  const role = account && (await roleIn(tx, account.id, ctx.actor.user_id))
  if (!account || !role) throw new Refusal('session_required')
  if (!grants(ctx.actor.permission === 'master' ? 'master' : role, 'developer'))
    throw new Refusal('permission_required')
  const full = rules.whyNoRoom(account.plan, await store.countActive(tx, account.id, ctx.now()))
  if (!full) return
  const values = { count: full.count }
  // There is nothing to buy.
  if (!full.plan) throw new Refusal('keys_full', { values })
  throw new Refusal('limit_reached', { text: 'api_keys.limit_reached', values, plan: full.plan })
}

/** The whole key once more. It leaves only when the log knows who asked. */
export async function reveal(ctx: AuthedContext, id: string, proof: Proof = {}) {
  const { account_id } = ctx.actor
  const before = await ctx.within(tx => store.findSealed(tx, account_id, id))
  if (!before) throw new Refusal('not_found')
  await demandProof(ctx, proof)
  return ctx.within(async tx => {
    const key = await store.findSealed(tx, account_id, id)
    if (!key) throw new Refusal('not_found')
    if (!key.sealed_key || !rules.isActive(key, ctx.now())) throw new Refusal('key_hidden')
    const whole = opened(ctx, key.sealed_key, apiKeyBinding(account_id, id))
    await note(ctx, tx, 'revealed', [key])
    await tell(ctx, tx, 'revealed', [key])
    return [{ id, key: whole }]
  })
}

/** Sealed under a secret that is gone, a key still works and can't be shown; another row's is nobody's here. */
function opened(ctx: AuthedContext, sealed: string, bound: string): string {
  try {
    return ctx.encrypter.decrypt(sealed, bound)
  } catch (error) {
    throw new Refusal('key_hidden', {}, error)
  }
}

/** Another name, other scopes, or the end: a revoked key stays revoked, and stays as it was. */
export async function update(
  ctx: AuthedContext,
  id: string,
  { name, scope, active, ...proof }: Partial<Named> & Proof & { active?: false },
) {
  const { account_id } = ctx.actor
  const [before] = await read(ctx, id)
  const mayWiden = scope && before && rules.widens(before.scope, scope)
  if (mayWiden) await demandProof(ctx, proof)
  const now = ctx.now()
  return ctx.within(async tx => {
    // Before the key, as closing has it.
    await lockAccount(tx, account_id, ctx.actor.user_id)
    const key = await store.lockKey(tx, account_id, id)
    if (!key) throw new Refusal('not_found')
    if (key.revoked_at && (name !== undefined || scope)) throw new Refusal('key_revoked')
    if (scope) await rescope(ctx, tx, key, scope, mayWiden ?? false)
    if (name !== undefined && name !== key.name) {
      await store.updateKey(tx, account_id, id, { name, search_text: searchText(name, key.masked) })
      await note(ctx, tx, 'renamed', [{ ...key, name }], { before: key.name })
    }
    if (active === false && !key.revoked_at) {
      await store.updateKey(tx, account_id, id, { revoked_at: now, sealed_key: null })
      await note(ctx, tx, 'revoked', [key])
      await tell(ctx, tx, 'revoked', [key])
    }
    return toWire(invariant(await store.findKey(tx, account_id, id), 'the key just changed'), now)
  })
}

type Locked = NonNullable<Awaited<ReturnType<typeof store.lockKey>>>

async function rescope(ctx: AuthedContext, tx: Tx, key: Locked, scope: Scope[], mayWiden: boolean) {
  const before = rules.toScopes(key.scope)
  if (rules.toText(scope) === key.scope) return
  // Somebody has taken a scope away since it was read: giving it back takes a proof.
  if (!mayWiden && rules.widens(before, scope)) throw new Refusal('operation_in_flight', { retryAfter: 1 })
  await store.updateKey(tx, ctx.actor.account_id, key.id, { scope: rules.toText(scope) })
  await note(ctx, tx, 'changed', [key], { before, scope })
  if (rules.widens(before, scope)) await tell(ctx, tx, 'changed', [key])
}

/** All of them or none: what is not there, or another account's, ends it before anything is gone. */
export async function remove(ctx: AuthedContext, { id }: { id: string[] }) {
  const ids = [...new Set(id)]
  await ctx.within(async tx => {
    await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id)
    const removed = await store.removeKeys(tx, ctx.actor.account_id, ids)
    if (removed.length !== ids.length) throw new Refusal('not_found')
    await note(ctx, tx, 'deleted', removed)
    await tell(ctx, tx, 'deleted', removed)
  })
  return {}
}
